import type { Command } from 'commander'
import { settingPaths } from '../config/load.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** `periplus config check|print` */
export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('the settings')

  withCommonFlags(config.command('check'))
    .description('look at every setting and report all mistakes')
    .action((flags: CommonFlags) => {
      configOf(flags)
      print(flags.json, { ok: true }, () => 'The configuration is right.')
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
