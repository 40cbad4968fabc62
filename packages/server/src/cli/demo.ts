import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { composeAdmin } from '../compose/admin.ts'
import { withEngine } from '../compose/engine.ts'
import { composeIdentity, getManagementUrl, linkUrl } from '../compose/identity.ts'
import type { Config } from '../config/load.ts'
import type { Actor } from '../domain/actor.ts'
import type { Agreement } from '../domain/agreement.ts'
import type { Id } from '../domain/id.ts'
import type { Key } from '../domain/key.ts'
import { type PackageName, packageNames } from '../domain/package.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { createKey } from '../usecases/admin/create-key.ts'
import { createDemoLink } from '../usecases/admin/create-link.ts'
import { ensurePartner } from '../usecases/admin/ensure-partner.ts'
import { bundledFile } from './bundled.ts'
import { checkBeforeSample } from './demo-checks.ts'
import { createDemoSample } from './demo-sample.ts'
import { faultError, unwrapOrThrow } from './fault-text.ts'
import { describeOutcome, describeRequest } from './import-record.ts'
import { loadServeConfig } from './options.ts'
import { runRecordedImport } from './recorded-import.ts'
import { recordJob } from './recorded-job.ts'
import { type ServeFlags, serveOverrides, serveUntilSignal, withServeFlags } from './serve.ts'

const demoActor: Actor = { kind: 'system', id: 'demo', via: 'system' }

const demoPartner = { id: 'demo', name: 'Demo partner' }

/** Secrets of the demo keys, by package. */
type DemoKeys = Record<PackageName, string>

/** `periplus demo` */
export function addDemoCommand(program: Command): void {
  withServeFlags(program.command('demo'))
    .description('Serves sample places and generated reviews, and prints a key for each package.')
    .action(async (flags: ServeFlags) => {
      const { config, sources } = loadServeConfig(flags, { 'keys.inQuery': true, ...serveOverrides(flags) })
      const keys = await demoKeys(config)
      const ids = await exampleIds(config)
      const site = { searchKey: await landingKey(config), discoverKey: keys.discover }
      await serveUntilSignal(
        config,
        { demo: site, sources },
        {
          // A demo of the same folder that is about to end, or to be refused, must not end these links.
          onListening: async url => {
            const people = config.management.enabled ? peopleText(config, url, await createDemoLinks(config)) : ''
            process.stdout.write(welcome(url, { pages: pagesUrl(config, url), keys, ids }) + people)
          },
          onEnd: () => endDemoLinks(config),
        },
      )
    })
}

/**
 * Returns the demo keys. The first start imports the sample and creates the keys. If it is aborted, the next start
 * completes it.
 */
async function demoKeys(config: Config): Promise<DemoKeys> {
  const file = join(config.data, 'demo-keys.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoKeys
  await checkBeforeSample(config)
  await importSample(config)
  const keys = await createDemoKeys(config)
  save(file, keys)
  return keys
}

/** Returns the key for the search on the landing page; creates it if it does not exist. */
async function landingKey(config: Config): Promise<string> {
  const file = join(config.data, 'demo-landing-key.json')
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { key: string }).key
  const { secret } = await withDemoPartner(config, create =>
    create('Demo landing page', 'discover', { searchRate: 50, searchBurst: 50, searchQuota: 'unlimited' }),
  )
  save(file, { key: secret })
  return secret
}

const save = (file: string, content: object): void => replaceFile(file, `${JSON.stringify(content, null, 2)}\n`)

async function importSample(config: Config): Promise<void> {
  process.stderr.write('Importing the sample …\n')
  const files = ['places', 'reviews'].map(name => bundledFile(`demo/${name}.ndjson.gz`))
  const outcome = await recordJob(config, {
    kind: 'import' as const,
    actor: demoActor,
    request: describeRequest(files, { source: 'sample' }),
    work: job => runRecordedImport(config, job, { files, source: 'sample', defaultStatus: 'OPEN' }),
    describe: describeOutcome,
  })
  if (outcome.failure) throw faultError(outcome.failure)
}

/** Creates one key for each package with its limits, and an unlimited quota if the package has no quota (R-04). */
const createDemoKeys = (config: Config): Promise<DemoKeys> =>
  withDemoPartner(config, async (create, admin) => {
    const made: Partial<Record<PackageName, CreatedKey>> = {}
    for (const packageName of packageNames) {
      const open = config.packages[packageName].quota === undefined
      made[packageName] = await create(`Demo ${packageName}`, packageName, open ? { quota: 'unlimited' } : {})
    }
    const keys = made as Record<PackageName, CreatedKey>
    await createDemoSample(config, admin, demoActor, { discover: keys.discover.key, growth: keys.growth.key })
    return Object.fromEntries(packageNames.map(name => [name, keys[name].secret])) as DemoKeys
  })

/** A key and its secret, which is never shown again. */
interface CreatedKey {
  readonly key: Key
  readonly secret: string
}

/** Creates a key of the demo partner. */
type CreateDemoKey = (name: string, packageName: PackageName, agreement: Agreement) => Promise<CreatedKey>

function withDemoPartner<T>(
  config: Config,
  work: (create: CreateDemoKey, admin: ReturnType<typeof composeAdmin>) => Promise<T>,
): Promise<T> {
  return withEngine(config, { create: true }, async engine => {
    const admin = composeAdmin(engine, config)
    const { id: partnerId } = unwrapOrThrow(await ensurePartner(admin, demoActor, demoPartner))
    const create: CreateDemoKey = async (name, packageName, agreement) =>
      unwrapOrThrow(await createKey(admin, demoActor, { partnerId, name, packageName, agreement }))
    return work(create, admin)
  })
}

/** Tokens of the links with which the people of the demo sign in. */
interface DemoLinks {
  readonly operator: string
  readonly partner: string
}

/** Longer than any demo runs, in milliseconds; the links end with the process. */
const demoLinkMs = 365 * 86_400_000

/** Creates the people of the demo, and a link for each. */
const createDemoLinks = (config: Config): Promise<DemoLinks> =>
  withEngine(config, { create: true }, async engine => {
    const identity = composeIdentity(engine, config)
    const expiresMs = identity.clock.nowMs() + demoLinkMs
    const operator = {
      email: 'operator@demo.invalid',
      name: 'Demo operator',
      staffRole: 'owner',
      memberships: [],
    } as const
    const memberships = [{ partnerId: demoPartner.id, role: 'admin' }] as const
    const partner = { email: 'partner@demo.invalid', name: 'Demo partner', memberships }
    return {
      operator: (await createDemoLink(identity, demoActor, { person: operator, expiresMs })).token,
      partner: (await createDemoLink(identity, demoActor, { person: partner, expiresMs })).token,
    }
  })

const endDemoLinks = (config: Config): Promise<void> =>
  withEngine(config, { create: false }, engine => engine.people.links.end('demo'))

/**
 * Returns the URL of the public pages: that of the links, where they share a port, because a browser sends the cookie
 * of a session to one host name alone.
 */
const pagesUrl = (config: Config, url: string): string =>
  config.management.enabled && config.management.port === undefined ? getManagementUrl(config, url) : url

function peopleText(config: Config, url: string, { operator, partner }: DemoLinks): string {
  const managementUrl = getManagementUrl(config, url)
  return `Sign in, until the demo ends:

  operator      ${linkUrl(managementUrl, operator)}
  partner demo  ${linkUrl(managementUrl, partner)}

`
}

/** Number of ids among which examples are sought. The first ids of a sample are its best-known places. */
const soughtIds = 1000
const maxExamples = 3

/** Returns the first ids of places that exist. */
const exampleIds = (config: Config): Promise<readonly Id[]> =>
  withEngine(config, { create: true }, async ({ locations }) => {
    const ids = Array.from({ length: soughtIds }, (_, i) => BigInt(i + 1))
    const found = await locations.getMany(ids)
    return ids.filter((_, i) => found[i] !== undefined).slice(0, maxExamples)
  })

/** The URL of the public pages, the keys, and places that exist. */
interface Welcome {
  readonly pages: string
  readonly keys: DemoKeys
  readonly ids: readonly Id[]
}

function welcome(url: string, { pages, keys, ids }: Welcome): string {
  const width = Math.max(...packageNames.map(name => name.length))
  const header = `-H "X-API-Key: ${keys.discover}"`
  const targets = [
    ...(ids.length === 0
      ? []
      : [
          `/locations/${ids[0]}?version=1`,
          `/locations?ids=${ids.join(',')}&version=1`,
          `/locations/${ids[0]}/reviews?version=1&size=3`,
        ]),
    '/locations/search?query=prado&version=1&size=3',
  ]
  return `
Periplus demo: real places with generated ratings and reviews, which are marked as generated.

${packageNames.map(name => `  ${name.padEnd(width)}  ${keys[name]}`).join('\n')}

${targets.map(target => `  curl ${header} "${url}${target}"`).join('\n')}

Search as you type: ${pages}/

`
}
