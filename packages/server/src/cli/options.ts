import type { Command } from 'commander'
import { loadCheckedConfig, loadServiceConfig } from '../compose/configuration.ts'
import type { LoadedConfig, Overrides } from '../config/load.ts'

/** The flags of every command. */
export interface CommonFlags {
  readonly data?: string
  readonly config?: string
  readonly json?: boolean
}

/** Adds --data, --config and --json. */
export const withCommonFlags = (command: Command): Command =>
  command
    .option('--data <dir>', 'data folder (default: ./periplus-data, or PERIPLUS_DATA)')
    .option('--config <file>', 'config file (default: periplus.yaml if it exists)')
    .option('--json', 'print one JSON object to standard output')

/** Loads the configuration of a command from file, environment and flags. Throws InvalidConfig. */
export const loadCommandConfig = (flags: CommonFlags, overrides: Overrides = {}): LoadedConfig =>
  loadCheckedConfig(toLoadOptions(flags, overrides))

/** Loads the configuration of a command that serves, or checks what would be served. Throws InvalidConfig. */
export const loadServeConfig = (flags: CommonFlags, overrides: Overrides = {}): LoadedConfig =>
  loadServiceConfig(toLoadOptions(flags, overrides))

const toLoadOptions = (flags: CommonFlags, overrides: Overrides) => ({
  ...(flags.config !== undefined && { file: flags.config }),
  defaultFile: 'periplus.yaml',
  env: process.env,
  flags: { data: flags.data, ...overrides },
})
