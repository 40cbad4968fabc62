import type { Command } from 'commander'
import { type Loaded, loadConfig, type Overrides } from '../config/load.ts'
import { lifecycleErrors } from '../versions/lifecycle.ts'

/** What every command takes. */
export interface CommonFlags {
  readonly data?: string
  readonly config?: string
  readonly json?: boolean
}

/** Adds --data, --config and --json. */
export const withCommonFlags = (command: Command): Command =>
  command
    .option('--data <dir>', 'data folder (default ./periplus-data, or PERIPLUS_DATA)')
    .option('--config <file>', 'config file (default periplus.yaml if it is there)')
    .option('--json', 'one JSON object on standard output')

/** The configuration of a command: file, environment and flags together. */
export function configOf(flags: CommonFlags, overrides: Overrides = {}): Loaded {
  return loadConfig({
    ...(flags.config !== undefined && { file: flags.config }),
    defaultFile: 'periplus.yaml',
    env: process.env,
    flags: { data: flags.data, ...overrides },
    check: lifecycleErrors,
  })
}
