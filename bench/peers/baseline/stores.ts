import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onCore } from '../../load/processes.ts'
import type { Programs } from './programs.ts'

/** A store of the baseline that runs on the first core. */
export interface Store {
  readonly pid: number
  stop(): Promise<void>
}

/** User that PostgreSQL runs as; PostgreSQL refuses to run as root. */
interface User {
  readonly uid?: number
  readonly gid?: number
}

const databaseName = 'postgres'

/** Starts a new PostgreSQL in `folder`, which listens only on a socket in that folder. */
export async function startPostgres({ postgres }: Programs, folder: string): Promise<Store> {
  const user = databaseUser()
  mkdirSync(folder)
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const
  execFileSync(
    join(postgres, 'initdb'),
    ['--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8', '--username=bench', data],
    options,
  )
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'shared_buffers=1GB', 'fsync=off']
  const [program, ...args] = onCore(0, [
    join(postgres, 'postgres'),
    ...['-D', data],
    ...settings.flatMap(setting => ['-c', setting]),
  ])
  const child = spawn(program!, args, options)
  // A fast shutdown: connections are closed.
  process.once('exit', () => child.kill('SIGINT'))
  await until(child, () => spawnSync(join(postgres, 'pg_isready'), ['-q', '-h', folder]).status === 0)
  return { pid: child.pid!, stop: () => ended(child, 'SIGINT') }
}

/** Runs a script with psql; an error ends this process. */
export const runSql = ({ postgres }: Programs, folder: string, script: string): string =>
  execFileSync(
    join(postgres, 'psql'),
    ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-U', 'bench', databaseName],
    { input: script, encoding: 'utf8' },
  )

/** Starts Redis or Valkey without persistence, listening only on `socket`. */
export async function startCounters({ counters }: Programs, socket: string): Promise<Store> {
  const settings = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no']
  const [program, ...args] = onCore(0, [counters, ...settings])
  const child = spawn(program!, args, { stdio: 'ignore' })
  process.once('exit', () => child.kill())
  await until(child, () => existsSync(socket))
  return { pid: child.pid!, stop: () => ended(child, 'SIGTERM') }
}

async function until(child: ChildProcess, isReady: () => boolean): Promise<void> {
  while (!isReady()) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with status ${child.exitCode}.`)
    await wait(50)
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** Returns the user `postgres` if this process runs as root. */
function databaseUser(): User {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
