import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A server under load. */
export interface Server {
  readonly url: string
  /** The lines that it printed before it listened. */
  readonly printed: readonly string[]
  /** User and system time of the process so far, milliseconds. */
  cpuMs(): number
  /** Time of its running threads so far, milliseconds; as exact as the scheduler of the system measures it. */
  threadsMs(): number
  /** Resident memory, bytes. */
  residentBytes(): number
  stop(): Promise<void>
}

const hasTaskset = spawnSync('taskset', ['--version']).status === 0

/** Returns the command that runs `command` on one core only, where taskset is installed. */
export const onCore = (core: number, command: readonly string[]): string[] =>
  hasTaskset ? ['taskset', '-c', String(core), ...command] : [...command]

/** Starts a server on the first core and waits until it prints `listening on URL`. */
export async function startServer(
  command: readonly string[],
  options: { readonly quietLog?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Server> {
  const [program, ...args] = onCore(0, command)
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', options.quietLog ? 'ignore' : 'inherit'],
    env: options.env ?? process.env,
  })
  // A benchmark that fails must not leave its server running.
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const { url, printed } = await listening(child)
  return {
    url,
    printed,
    cpuMs: () => cpuMs(child.pid!),
    threadsMs: () => threadsMs(child.pid!),
    residentBytes: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function listening(child: ChildProcess): Promise<Pick<Server, 'url' | 'printed'>> {
  const printed: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    const found = /^listening on (\S+)/.exec(line)
    if (found) {
      child.stdout!.resume()
      return { url: found[1]!, printed }
    }
    printed.push(line)
  }
  throw new Error('The server ended before it was listening.')
}

/** Returns the CPU time of a process. Fields 14 and 15 of /proc/PID/stat count ticks of 10 ms. */
function cpuMs(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the CPU time of the running threads of a process. The first field of schedstat counts nanoseconds. */
const threadsMs = (pid: number): number =>
  globSync(`/proc/${pid}/task/*/schedstat`).reduce(
    (sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6,
    0,
  )

/** Returns the CPU time of a process and of its children, also of those that have ended, in milliseconds. */
export function cpuMsOfTree(pid: number): number {
  const fields = statFields(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const endedMs = (Number(fields[13]) + Number(fields[14])) * 10
  return cpuMs(pid) + endedMs + children.reduce((sum, child) => sum + cpuMsOfChild(Number(child)), 0)
}

/** Returns the CPU time of a child; 0 if it ends meanwhile, because its time then belongs to its parent. */
function cpuMsOfChild(pid: number): number {
  try {
    return cpuMsOfTree(pid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return 0
    throw error
  }
}

/** Returns the fields of /proc/PID/stat from the third, which follows the name in parentheses. */
const statFields = (pid: number): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
