import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

/** Commands start in half the time. */
const compileCache = join(tmpdir(), 'periplus-test-compile-cache')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What `--json` printed. */
  json<T = Record<string, unknown>>(): T
}

/** Starts `periplus …` as a process of its own, away from any config file. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PERIPLUS|VITEST|NODE_)/.test(name))
  return spawn(process.execPath, [main, ...args], {
    cwd: tmpdir(),
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Runs `periplus …` to its end. */
export async function periplus(
  args: readonly string[],
  { stdin, env }: { stdin?: string | Buffer; env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  const child = start(args, env)
  const out = collect(child)
  // A process that does not read its input closes it.
  child.stdin!.on('error', () => {})
  child.stdin!.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: out.stdout(), stderr: out.stderr(), json: () => JSON.parse(out.stdout()) }
}

export interface Output {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until something was written to standard error. */
  readonly line: (what: RegExp) => Promise<void>
}

export function collect(child: ChildProcess): Output {
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout!.on('data', part => parts.stdout.push(part))
  child.stderr!.on('data', part => parts.stderr.push(part))
  const stderr = () => Buffer.concat(parts.stderr).toString()
  return {
    stdout: () => Buffer.concat(parts.stdout).toString(),
    stderr,
    line: what =>
      new Promise(resolve => {
        child.stderr!.on('data', () => what.test(stderr()) && resolve())
      }),
  }
}

export interface Served {
  readonly url: string
  /** All lines of the log so far. */
  log(): string
  /** Ends it; gives the exit code, null after SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Tests keep connections that they do not need any more. */
const noGrace = { PERIPLUS_SERVER_IDLE_GRACE_MS: '0' }

/** `periplus serve` as a process of its own, ready. */
export const serve = (
  data: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> => listening(start(['serve', '--data', data, '--port', '0', ...args], { ...noGrace, ...env }))

/** `periplus demo` as a process of its own, ready. */
export const demo = (data: string): Promise<Served> => listening(start(['demo', '--data', data, '--port', '0']))

async function listening(child: ChildProcess): Promise<Served> {
  const out = collect(child)
  const exited = once(child, 'close') as Promise<[number | null]>
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const line = /^listening on (http\S+)$/m.exec(out.stdout())
      if (line) resolve(line[1]!)
    })
    void exited.then(([code]) => reject(new Error(`it ended with ${code}: ${out.stderr()}`)))
  })
  return {
    url,
    log: out.stderr,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}
