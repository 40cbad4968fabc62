import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../src/cli/program.ts'
import { storeVariables } from './world-database.ts'

export const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

/** Halves the start of a process. */
export const compileCache = process.env.TEST_COMPILE_CACHE ?? join(tmpdir(), 'periplus-test-compile-cache')

/** Arguments of Node for every process of the tests. */
export const nodeArgs = [
  // A process that starts with a young generation of 1 MB collects it a dozen times until it listens.
  '--min-semi-space-size=16',
  ...['--import', new URL('./setup/preload.js', import.meta.url).href],
]

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Returns the object that `--json` printed. */
  json<T = Record<string, unknown>>(): T
}

export interface RunOptions {
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
}

const commandResult = (code: number | null, stdout: string, stderr: string): CommandResult => ({
  code,
  stdout,
  stderr,
  json: () => JSON.parse(stdout),
})

let lastCommand: Promise<unknown> = Promise.resolve()

/**
 * Runs `periplus …` in this process, away from any config file. Commands run one at a time, because they share
 * the standard streams and the environment. Tests of the process itself (signals, kills, two processes at once) use
 * `periplusProcess` or `start`.
 */
export function periplus(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const command = lastCommand.then(() => runHere(args, options))
  lastCommand = command.catch(() => {})
  return command
}

async function runHere(args: readonly string[], { stdin = '', env = {} }: RunOptions): Promise<CommandResult> {
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  const [input, variables, folder] = [Object.getOwnPropertyDescriptor(process, 'stdin')!, process.env, process.cwd()]
  const kept = Object.entries(variables).filter(([name]) => !name.startsWith('PERIPLUS'))
  process.env = { ...Object.fromEntries(kept), ...storeVariables(args), ...env }
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true })
  process.chdir(tmpdir())
  try {
    const code = await runProgram(args)
    return commandResult(code, stdout.text(), stderr.text())
  } finally {
    for (const captured of [stdout, stderr]) captured.end()
    Object.defineProperty(process, 'stdin', input)
    process.env = variables
    process.chdir(folder)
  }
}

/** Captures everything written to a standard stream until `end` is called. */
function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const parts: Buffer[] = []
  const { write } = stream
  stream.write = (part: string | Uint8Array, ...rest: unknown[]) => {
    parts.push(Buffer.from(part as string))
    const done = rest.at(-1)
    if (typeof done === 'function') process.nextTick(done)
    return true
  }
  return {
    text: () => Buffer.concat(parts).toString(),
    end: () => {
      stream.write = write
    },
  }
}

/** Starts `periplus …` as a process, away from any config file. */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  node: readonly string[] = nodeArgs,
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PERIPLUS|VITEST|NODE_)/.test(name))
  return spawn(process.execPath, [...node, main, ...args], {
    cwd: tmpdir(),
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Runs `periplus …` as a process to its end. */
export async function periplusProcess(
  args: readonly string[],
  { stdin, env }: RunOptions = {},
): Promise<CommandResult> {
  const child = start(args, env)
  const out = collect(child)
  // A process that does not read its input closes it.
  child.stdin!.on('error', () => {})
  child.stdin!.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return commandResult(code, out.stdout(), out.stderr())
}

export interface Output {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until standard error matches; throws when the process ends before that. */
  readonly line: (pattern: RegExp) => Promise<void>
}

export function collect(child: ChildProcess): Output {
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout!.on('data', part => parts.stdout.push(part))
  child.stderr!.on('data', part => parts.stderr.push(part))
  const stderr = () => Buffer.concat(parts.stderr).toString()
  return {
    stdout: () => Buffer.concat(parts.stdout).toString(),
    stderr,
    line: pattern =>
      new Promise((resolve, reject) => {
        const check = () => pattern.test(stderr()) && resolve()
        child.stderr!.on('data', check)
        child.on('close', () => reject(new Error(`The process ended without ${pattern}: ${stderr()}`)))
        check()
      }),
  }
}

export interface Served {
  readonly url: string
  readonly pid: number
  /** Resolves when the process ends, with its exit code and its signal. */
  readonly ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>
  /** Returns the standard output so far. */
  printed(): string
  /** Returns all lines of the log so far. */
  log(): string
  /** Ends the process; returns its exit code, null after SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Closes idle connections of tests immediately when the server stops. */
const noGrace = { PERIPLUS_SERVER_IDLE_GRACE_MS: '0' }

/** Runs the processes of a test file with some serving threads: PERIPLUS_THREADS=2 npx vitest run FILE */
const threads = { PERIPLUS_SERVER_THREADS: process.env.PERIPLUS_THREADS ?? '1' }

/** Starts `periplus serve` as a process and waits until it listens. */
export const serve = (
  data: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  node: readonly string[] = nodeArgs,
): Promise<Served> =>
  listening(start(['serve', '--data', data, '--port', '0', ...args], { ...noGrace, ...threads, ...env }, node))

/** Starts `periplus demo` as a process and waits until it listens. */
export const demo = (data: string, node: readonly string[] = nodeArgs): Promise<Served> =>
  listening(start(['demo', '--data', data, '--port', '0'], {}, node))

async function listening(child: ChildProcess): Promise<Served> {
  const out = collect(child)
  const ended = once(child, 'close') as Served['ended']
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const line = /^listening on (http\S+)$/m.exec(out.stdout())
      if (line) resolve(line[1]!)
    })
    void ended.then(([code]) => reject(new Error(`The service ended with ${code}: ${out.stderr()}`)))
  })
  return {
    url,
    pid: child.pid!,
    ended,
    printed: out.stdout,
    log: out.stderr,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
