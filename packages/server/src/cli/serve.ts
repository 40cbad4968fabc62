import { type Command, InvalidArgumentError } from 'commander'
import type { ServeOptions, Service } from '../compose/server.ts'
import type { ListeningSource } from '../compose/service.ts'
import type { Config } from '../config/load.ts'
import type { NewerSchema } from '../domain/store-errors.ts'
import { takeEarlyListener } from './early-listening.ts'
import { inheritedSocket } from './inherited-socket.ts'
import { listenError } from './listen-error.ts'
import { type CommonFlags, loadServeConfig, withCommonFlags } from './options.ts'
import { port } from './port-option.ts'
import { type RecreateFlag, recreateOption } from './recreate-flag.ts'

export interface ServeFlags extends CommonFlags {
  readonly host?: string
  readonly port?: number
  readonly basePath?: string
  readonly publicUrl?: string
  readonly adminPort?: number
  readonly threads?: number
  readonly logLevel?: string
  /** In seconds. */
  readonly wait?: number
}

/** Adds the flags that `serve` and `demo` share. */
export const withServeFlags = (command: Command): Command =>
  withCommonFlags(command)
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'port to listen on (default 8080; 0 selects a free port)', port)
    .option('--base-path <path>', 'base path of all URLs (default /)')
    .option('--public-url <url>', 'address at which partners reach the service (default: the listening address)')
    .option(
      '--admin-port <n>',
      'port of /metrics on a loopback address (0 selects a free port; default: no metrics)',
      port,
    )
    .option('--threads <n>', 'number of threads that serve partners (default 1)', threadCount)
    .option('--log-level <level>', 'debug, info, warn, error or silent (default info)')
    .option('--wait <seconds>', 'maximum wait for another process to stop serving the folder (default 0)', seconds)

function threadCount(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > 64)
    throw new InvalidArgumentError('Enter a number of threads from 1 to 64.')
  return number
}

/** Returns the settings that these flags override. */
export const serveOverrides = (flags: ServeFlags) => ({
  'server.host': flags.host,
  'server.port': flags.port,
  'server.basePath': flags.basePath,
  'server.publicUrl': flags.publicUrl,
  'server.adminPort': flags.adminPort,
  'server.threads': flags.threads,
  'server.logLevel': flags.logLevel,
  'server.lockWaitMs': flags.wait === undefined ? undefined : flags.wait * 1000,
})

/** `periplus serve` */
export function addServeCommand(program: Command): void {
  withServeFlags(program.command('serve'))
    .description('Serves the data folder until SIGTERM or SIGINT.')
    .addOption(recreateOption())
    .action(async (flags: ServeFlags & RecreateFlag) => {
      const { config, sources } = loadServeConfig(flags, serveOverrides(flags))
      await serveUntilSignal(config, { demo: false, recreate: flags.recreate ?? [], sources })
    })
}

/** Steps of a command while its process holds the data folder. */
export interface ServeSteps {
  /** Called with the public URL, before the line that says where the service listens. */
  onListening(url: string): Promise<void>
  /** Called at the end, before the folder is free for another process. */
  onEnd(): Promise<void>
}

/** Serves until SIGTERM or SIGINT, then drains. Prints where it listens, and the public address if that differs. */
export async function serveUntilSignal(config: Config, options: ServeOptions, steps?: ServeSteps): Promise<void> {
  const inherited = inheritedSocket(process.env, process.pid)
  // Before the service is loaded and the folder is free: connections wait from now instead of being refused.
  const early =
    inherited === undefined && config.server.port !== 0 ? takeEarlyListener(toEarlyAddress(config)) : undefined
  const service = await loadService(config, options).catch(async error => {
    await early?.close()
    throw error
  })
  const url = await startListening(service, config, inherited ?? early)
  // Install the handlers before the line is printed: its reader may send a signal immediately.
  const end = new Promise<NewerSchema | undefined>(resolve => {
    process.once('SIGTERM', () => resolve(undefined))
    process.once('SIGINT', () => resolve(undefined))
    void service.endRequested.then(resolve)
  })
  await steps?.onListening(url)
  const publicAddress = service.listeningUrl === url ? '' : `public address ${url}\n`
  process.stdout.write(`listening on ${service.listeningUrl}\n${publicAddress}`)
  // A log file is readable by more people than the terminal: the link is not logged.
  const ownerLink = options.demo ? undefined : await service.createFirstOwnerLink()
  if (ownerLink !== undefined) process.stdout.write(`Open once to become the owner: ${ownerLink}\n`)
  const refusal = await end
  await steps?.onEnd()
  await service.drain()
  if (refusal) throw refusal
}

const toEarlyAddress = ({ server: { host, port, threads } }: Config) => ({ host, port, reusePort: threads > 1 })

/** Loads the modules of the service, which takes longer than everything before, and composes it. */
async function loadService(config: Config, options: ServeOptions): Promise<Service> {
  const { composeServer } = await import('../compose/server.ts')
  return composeServer(config, options)
}

/** Starts to listen and returns the URL. Throws CommandError if the address cannot be used. */
async function startListening(service: Service, config: Config, source: ListeningSource | undefined): Promise<string> {
  try {
    return await service.listen(source)
  } catch (error) {
    await service.drain()
    throw listenError(error, config.server)
  }
}

function seconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 600))
    throw new InvalidArgumentError('Must be a number of seconds from 0 to 600.')
  return value
}
