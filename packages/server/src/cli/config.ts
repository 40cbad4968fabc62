import type { Command } from 'commander'
import { configStatus, listSettings } from '../compose/configuration.ts'
import { openConfiguredEngine } from '../compose/engine.ts'
import { composeUsage } from '../compose/usage.ts'
import type { Config } from '../config/load.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { type ConfigCheckResource, configCheckResource, settingsResource } from '../resources/config.ts'
import { checkConfig } from '../usecases/admin/check-config.ts'
import { relyingDays } from '../usecases/admin/list-relying-keys.ts'
import { cliActor } from './actor.ts'
import { type CommonFlags, loadCommandConfig, loadServeConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** `periplus config check|print` */
export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('Checks and prints the settings.')

  withCommonFlags(config.command('check'))
    .description('Checks all settings and lists the keys that rely on the default version.')
    .action(async (flags: CommonFlags) => {
      const { config: settings } = loadServeConfig(flags)
      const engine = openExistingEngine(settings)
      try {
        const usage = engine && composeUsage(engine, settings)
        const checked = configCheckResource(await checkConfig({ config: configStatus(settings), usage }, cliActor()))
        print(flags.json, checked, () => checkText(checked))
      } finally {
        await engine?.close()
      }
    })

  withCommonFlags(config.command('print'))
    .description('Prints all settings with their values and origins.')
    .action((flags: CommonFlags) => {
      const loaded = loadCommandConfig(flags)
      const { settings } = settingsResource(listSettings(loaded))
      print(flags.json, { settings }, () =>
        textTable(
          ['setting', 'value', 'source'],
          settings.map(({ setting, value, source }) => [
            setting,
            value === undefined ? '(not set)' : JSON.stringify(value),
            source,
          ]),
        ),
      )
    })
}

/** Opens the engine of the data folder; undefined if the folder does not exist yet. */
function openExistingEngine(config: Config): Engine | undefined {
  try {
    return openConfiguredEngine(config, { create: false })
  } catch (error) {
    if (error instanceof MissingDataFolder) return undefined
    throw error
  }
}

function checkText({ warnings, default_version: version, relying_on_default: keys }: ConfigCheckResource): string {
  const relying =
    keys.length === 0
      ? `No key made calls without a version in the last ${relyingDays} days.`
      : [
          `Keys that made calls without a version in the last ${relyingDays} days; such calls now get version ${version}:`,
          textTable(
            ['key', 'partner', 'version', 'calls'],
            keys.map(({ key, partner, version: got, calls }) => [key, partner, got, calls]),
          ),
        ].join('\n')
  const warned = warnings.map(text => `Warning: ${text}.`)
  return ['Configuration is valid.', ...warned, `The default version is ${version}. ${relying}`].join('\n')
}
