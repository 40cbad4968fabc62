import type { Command } from 'commander'
import { composeBooks } from '../compose/books.ts'
import type { Config } from '../config/load.ts'
import { settingPaths } from '../config/setting.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import { reliance } from '../usage/reliance.ts'
import { defaultVersion, lifecycleWarnings, resolveLifecycle } from '../versions/lifecycle.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** How far back calls are looked at, days. */
const lookBackDays = 90

/** `periplus config check|print` */
export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('the settings')

  withCommonFlags(config.command('check'))
    .description('look at every setting, report all mistakes, and list the keys that rely on the default version')
    .action(async (flags: CommonFlags) => {
      const { config: settings } = configOf(flags)
      const nowMs = Date.now()
      const lifecycle = resolveLifecycle(settings)
      const report = {
        ok: true,
        warnings: lifecycleWarnings(lifecycle).map(({ path, text }) => `${path}: ${text}`),
        default_version: defaultVersion(lifecycle, nowMs).name,
        relying_on_default: await relyingKeys(settings, nowMs),
      }
      print(flags.json, report, () => checkText(report))
    })

  withCommonFlags(config.command('print'))
    .description('every setting with its value and where it came from')
    .action((flags: CommonFlags) => {
      const loaded = configOf(flags)
      const rows = settingPaths().map(path => ({
        setting: path,
        value: valueAt(loaded.config, path),
        source: loaded.sources.get(path) ?? 'default',
      }))
      print(flags.json, { settings: rows }, () =>
        textTable(
          ['setting', 'value', 'source'],
          rows.map(row => [row.setting, row.value === undefined ? '(not set)' : JSON.stringify(row.value), row.source]),
        ),
      )
    })
}

const valueAt = (tree: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], tree)

/** Before a version is promoted: who did not say which one they want, and would be moved (R-16, SPEC §9.1). */
async function relyingKeys(config: Config, nowMs: number) {
  try {
    const { journalFolder, ledger, close } = composeBooks(config)
    try {
      const rows = await reliance(journalFolder, ledger, nowMs - lookBackDays * 86_400_000)
      return rows.map(({ keyId, partnerId, version, calls }) => ({ key: keyId, partner: partnerId, version, calls }))
    } finally {
      close()
    }
  } catch (error) {
    // A configuration can be checked before there is any data.
    if (error instanceof MissingDataFolder) return []
    throw error
  }
}

interface Checked {
  readonly warnings: readonly string[]
  readonly default_version: string
  readonly relying_on_default: Awaited<ReturnType<typeof relyingKeys>>
}

function checkText({ warnings, default_version: version, relying_on_default: keys }: Checked): string {
  const relying =
    keys.length === 0
      ? `No key called without a version in the last ${lookBackDays} days.`
      : `Calls without a version in the last ${lookBackDays} days; from now on they get version ${version}:\n${textTable(
          ['key', 'partner', 'answered in', 'calls'],
          keys.map(({ key, partner, version: got, calls }) => [key, partner, got, calls]),
        )}`
  const warned = warnings.map(text => `Warning: ${text}.`)
  return ['The configuration is right.', ...warned, `The default version is ${version}. ${relying}`].join('\n')
}
