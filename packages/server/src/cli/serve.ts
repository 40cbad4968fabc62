import { type Command, InvalidArgumentError } from 'commander'
import { composeServer, type DemoSite, type Service } from '../compose/server.ts'
import type { Config } from '../config/load.ts'
import { CommandError } from './errors.ts'
import { inheritedSocket } from './inherited-socket.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'

export interface ServeFlags extends CommonFlags {
  readonly host?: string
  readonly port?: number
  readonly basePath?: string
  readonly publicUrl?: string
  readonly adminPort?: number
  readonly logLevel?: string
  /** Seconds. */
  readonly wait?: number
}

/** Adds the flags that `serve` and `demo` share. */
export const withServeFlags = (command: Command): Command =>
  withCommonFlags(command)
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'port to listen on (default 8080; 0 takes a free one)', port)
    .option('--base-path <path>', 'path under which everything is served (default /)')
    .option('--public-url <url>', 'address at which partners reach the service (default: the listening address)')
    .option(
      '--admin-port <n>',
      'port of /metrics on a loopback address (0 takes a free one; without it there are no metrics)',
      port,
    )
    .option('--log-level <level>', 'debug, info, warn, error or silent (default info)')
    .option('--wait <seconds>', 'maximum wait for another process to stop serving the folder (default 0)', seconds)

/** Returns the settings of these flags. */
export const serveOverrides = (flags: ServeFlags) => ({
  'server.host': flags.host,
  'server.port': flags.port,
  'server.basePath': flags.basePath,
  'server.publicUrl': flags.publicUrl,
  'server.adminPort': flags.adminPort,
  'server.logLevel': flags.logLevel,
  'server.lockWaitMs': flags.wait === undefined ? undefined : flags.wait * 1000,
})

/** `periplus serve` */
export function addServeCommand(program: Command): void {
  withServeFlags(program.command('serve'))
    .description('Serves the data folder until SIGTERM.')
    .action(async (flags: ServeFlags) => {
      const { config } = loadCommandConfig(flags, serveOverrides(flags))
      await serveUntilSignal(config, { demo: false })
    })
}

/** Serves, prints the address in one line, and drains on SIGTERM or SIGINT. `onListening` runs before that line. */
export async function serveUntilSignal(
  config: Config,
  options: { demo: DemoSite | false },
  onListening?: (url: string) => void,
): Promise<void> {
  const running = await composeServer(config, options)
  const url = await listening(running, config)
  // Listen before the line is printed: its reader may send the signal at once.
  const signal = new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  onListening?.(url)
  process.stdout.write(`listening on ${url}\n`)
  await signal
  await running.drain()
}

async function listening(running: Service, config: Config): Promise<string> {
  try {
    return await running.listen(inheritedSocket(process.env, process.pid))
  } catch (error) {
    await running.drain()
    const { code, address: host = config.server.host, port: wanted = config.server.port } = error as ListenError
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${wanted} on ${host} is in use. Choose another one with --port N.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandError(`This machine does not have the address ${host}. Choose another one with --host.`)
    if (code === 'EACCES')
      throw new CommandError(`Port ${wanted} requires more privileges. Choose one above 1023 with --port N.`)
    throw error
  }
}

/** Node's error for an address on which it cannot listen. */
interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string
  readonly port?: number
}

function seconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 600))
    throw new InvalidArgumentError('It must be a number of seconds from 0 to 600.')
  return value
}

function port(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
  return value
}
