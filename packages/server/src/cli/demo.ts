import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { v7 as uuidv7 } from 'uuid'
import { composeAdmin, composeImport } from '../compose.ts'
import type { Config } from '../config/load.ts'
import { type PackageName, packageNames } from '../domain/package.ts'
import type { Report } from '../ingest/report.ts'
import { createKey } from '../usecases/create-key.ts'
import { bundledFile } from './bundled.ts'
import { configOf } from './options.ts'
import { indexWhatChanged, runImport } from './run-import.ts'
import { type ServeFlags, serveOverrides, serveUntilSignal, withServeFlags } from './serve.ts'

/** Secrets of the demo keys, by package. */
type DemoKeys = Record<PackageName, string>

/** `periplus demo` */
export function addDemoCommand(program: Command): void {
  withServeFlags(program.command('demo'))
    .description('serve with sample places, generated reviews and a key for each package')
    .action(async (flags: ServeFlags) => {
      const { config } = configOf(flags, { 'keys.inQuery': true, ...serveOverrides(flags) })
      const keys = await prepared(config)
      await serveUntilSignal(config, { demo: true }, url => process.stdout.write(welcome(url, keys)))
    })
}

/** The keys of the demo; on first start everything is made, and a start that was cut short is finished. */
async function prepared(config: Config): Promise<DemoKeys> {
  const file = join(config.data, 'demo-keys.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoKeys
  await importSample(config)
  const keys = await createDemoKeys(config)
  writeFileSync(`${file}.tmp`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
  return keys
}

async function importSample(config: Config): Promise<void> {
  const importing = composeImport(config, { dryRun: false })
  const reports: Report[] = []
  try {
    for (const name of ['places', 'reviews']) {
      process.stderr.write(`Importing the sample's ${name} …\n`)
      const options = { kind: undefined, force: false, defaultSource: 'sample', defaultStatus: 'OPEN' as const }
      const { report } = await runImport(bundledFile(`demo/${name}.ndjson.gz`), importing, options)
      reports.push(report)
    }
    await indexWhatChanged(importing, reports)
  } finally {
    importing.close()
  }
}

/** One key a package, with exactly its limits; where the package leaves the quota open, unlimited (R-04). */
async function createDemoKeys(config: Config): Promise<DemoKeys> {
  const admin = composeAdmin(config)
  try {
    const partnerId = 'demo'
    const nowMs = admin.clock.nowMs()
    if (!(await admin.keys.partner(partnerId)))
      await admin.keys.createPartner({ id: partnerId, name: 'Demo partner', createdMs: nowMs })
    const keys: Partial<DemoKeys> = {}
    for (const packageName of packageNames) {
      const open = config.packages[packageName].quota === undefined
      const made = await createKey(admin.keys, admin.mint, config, {
        id: `key_${uuidv7()}`,
        partnerId,
        name: `Demo ${packageName}`,
        test: false,
        packageName,
        addOns: [],
        agreement: open ? { quota: 'unlimited' } : {},
        scope: {},
        nowMs,
      })
      if ('refused' in made) throw new Error(made.refused)
      keys[packageName] = made.secret
    }
    return keys as DemoKeys
  } finally {
    admin.close()
  }
}

function welcome(url: string, keys: DemoKeys): string {
  const width = Math.max(...packageNames.map(name => name.length))
  const header = `-H "X-API-Key: ${keys.discover}"`
  return `
Periplus demo: real places; their ratings and reviews were generated and say so.

${packageNames.map(name => `  ${name.padEnd(width)}  ${keys[name]}`).join('\n')}

  curl ${header} "${url}/locations/1?version=1"
  curl ${header} "${url}/locations?ids=1,2,3&version=1"
  curl ${header} "${url}/locations/1/reviews?version=1&size=3"

`
}
