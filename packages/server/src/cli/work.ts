import type { Command } from 'commander'
import type { Config } from '../config/load.ts'
import { folderStore } from '../config/schema-store.ts'
import { UsageError } from './errors.ts'
import { type CommonFlags, loadServeConfig, withCommonFlags } from './options.ts'
import { port } from './port-option.ts'

interface WorkFlags extends CommonFlags {
  readonly adminPort?: number
  readonly logLevel?: string
}

/** `periplus work` */
export function addWorkCommand(program: Command): void {
  withCommonFlags(program.command('work'))
    .description(
      'Works for a database until SIGTERM or SIGINT: feeds, events, mails and maintenance. One of all such processes is elected; the others wait.',
    )
    .option(
      '--admin-port <n>',
      'port of /metrics, /healthz and /readyz on a loopback address (0 selects a free port; default: no port)',
      port,
    )
    .option('--log-level <level>', 'debug, info, warn, error or silent (default info)')
    .action(async (flags: WorkFlags) => {
      const overrides = { 'server.adminPort': flags.adminPort, 'server.logLevel': flags.logLevel }
      const { config } = loadServeConfig(flags, overrides)
      requireDatabase(config)
      const { composeWorker } = await import('../compose/worker.ts')
      const worker = await composeWorker(config)
      const signal = new Promise<undefined>(resolve => {
        process.once('SIGTERM', () => resolve(undefined))
        process.once('SIGINT', () => resolve(undefined))
      })
      const url = await worker.start()
      process.stdout.write(url === undefined ? 'working\n' : `working, admin port at ${url}\n`)
      const refusal = await Promise.race([signal, worker.endRequested])
      await worker.drain()
      if (refusal) throw refusal
    })
}

/** Throws UsageError if the settings leave no work to this process. */
function requireDatabase({ store, server: { publicUrl }, blobs }: Config): void {
  if (store === folderStore)
    throw new UsageError(
      'periplus work needs a database: set the setting store to postgres://USER@HOST/DATABASE. With a data folder, periplus serve does this work.',
    )
  if (publicUrl === undefined)
    throw new UsageError(
      'periplus work needs the setting server.publicUrl: feeds and mails contain the address of the service.',
    )
  if (blobs === undefined)
    throw new UsageError(
      'periplus work needs the setting blobs: the feeds that it builds must reach the nodes that serve them.',
    )
}
