import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type EarlyAddress, EarlyListener } from '../compose/early-listener.ts'
import { loadYaml } from '../kit/yaml.ts'

type Address = EarlyAddress

type Environment = Readonly<Record<string, string | undefined>>

let early: { readonly address: Address; readonly listener: EarlyListener } | undefined

/**
 * Starts to listen for `serve` before its modules are loaded, which takes most of a start. The address is a
 * guess, which `takeEarlyListener` compares with the loaded configuration.
 */
export async function listenEarly(args: readonly string[], env: Environment): Promise<void> {
  const address = args[0] === 'serve' && env.LISTEN_PID === undefined ? guessAddress(args.slice(1), env) : undefined
  if (!address) return
  early = { address, listener: new EarlyListener(address) }
  // Loading modules leaves no turn of the event loop for it.
  await early.listener.attempt
}

/** Returns the listener at an address: the one that already listens, or a new one. */
export function takeEarlyListener(address: Address): EarlyListener {
  const { listener, address: guessed } = early ?? {}
  early = undefined
  const isRight =
    guessed?.host === address.host &&
    guessed.port === address.port &&
    (guessed.reusePort ?? false) === (address.reusePort ?? false)
  if (listener && isRight) return listener
  void listener?.close()
  return new EarlyListener(address)
}

/** Reads the address from flags, environment and file, without validation; undefined if there is no valid port. */
export function guessAddress(args: readonly string[], env: Environment): Address | undefined {
  const text = { type: 'string' } as const
  const options = { host: text, port: text, threads: text, config: text }
  const { values } = parseArgs({ args: [...args], options, strict: false })
  const file = typeof values.config === 'string' ? values.config : 'periplus.yaml'
  const server = readServerSettings(file)
  const host = String(values.host ?? (env.PERIPLUS_SERVER_HOST || undefined) ?? server.host ?? '127.0.0.1')
  const port = Number(values.port ?? (env.PERIPLUS_SERVER_PORT || undefined) ?? server.port ?? 8080)
  const threads = Number(values.threads ?? (env.PERIPLUS_SERVER_THREADS || undefined) ?? server.threads ?? 1)
  return Number.isInteger(port) && port > 0 && port <= 65_535
    ? { host, port, ...(threads > 1 && { reusePort: true }) }
    : undefined
}

function readServerSettings(file: string): Readonly<Partial<Record<'host' | 'port' | 'threads', unknown>>> {
  try {
    return (existsSync(file) && loadYaml().parse(readFileSync(file, 'utf8'))?.server) || {}
  } catch {
    // The configuration is loaded again, with a message for each error.
    return {}
  }
}
