import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextTo } from './find-engines.ts'
import { freePort } from './free-port.ts'
import { findTemporaryFolder } from './temporary-folder.ts'

/** A server that this process has started. It ends with this process, however this process ends. */
export interface RunningEngine {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Starts the server again on the same port and files, after its process was killed. */
  restart(): Promise<RunningEngine>
  /** Ends the server and removes its files. */
  stop(): Promise<void>
}

/** Servers refuse to run as root, so that tests under root run them as `nobody`. */
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Starts the server, starts it again for each line of standard input, and ends it and removes its folder ($0) when
 * standard input is closed. This process holds the other end, which the kernel closes when this process is killed.
 */
const supervisor = `ulimit -c 0
start() { "$@" >>"$0/log" 2>&1 & p=$!; echo $p; }
start "$@"
while read -r line; do wait $p; start "$@"; done
kill -$END_SIGNAL $p; wait $p; rm -rf "$0"`

const startLimitMs = 60_000

/** Settings of a server, in addition to those that all tests need. */
export type EngineSettings = Readonly<Record<string, string | number>>

/** Starts PostgreSQL on a free port of the loopback interface, without syncing its files. */
export async function runPostgres(program: string, settings: EngineSettings = {}): Promise<RunningEngine> {
  const folder = createFolder('postgres')
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-N', '-U', 'periplus', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  execFileSync(nextTo(program, 'initdb'), initdb, { ...owner, cwd: folder, stdio: 'ignore' })
  return startPostgres(program, folder, settings)
}

/** Starts a streaming replica of a PostgreSQL that this process has started. */
export async function runReplica(
  program: string,
  primary: RunningEngine,
  settings: EngineSettings = {},
): Promise<RunningEngine> {
  return startPostgres(program, await copyPostgres(program, primary, '-R'), settings)
}

/** Makes a base backup of a PostgreSQL that this process has started; returns a function that starts a server on it. */
export async function backUpPostgres(
  program: string,
  primary: RunningEngine,
  settings: EngineSettings = {},
): Promise<() => Promise<RunningEngine>> {
  const folder = await copyPostgres(program, primary)
  return () => startPostgres(program, folder, settings)
}

/** Copies the files of a PostgreSQL that runs; returns their folder. */
async function copyPostgres(program: string, { port }: RunningEngine, ...options: string[]): Promise<string> {
  const folder = createFolder('copy')
  const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'periplus', '-D', join(folder, 'data')]
  const copy = spawn(nextTo(program, 'pg_basebackup'), [...source, ...options, '--checkpoint=fast', '--no-sync'], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  })
  const [code] = await once(copy, 'close')
  if (code !== 0) throw new Error(`pg_basebackup of port ${port} has ended with ${code}.`)
  return folder
}

/** Starts PostgreSQL on the files in the folder `data`. */
async function startPostgres(program: string, folder: string, given: EngineSettings): Promise<RunningEngine> {
  const data = join(folder, 'data')
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    autovacuum: 'off',
    jit: 'off',
    dynamic_shared_memory_type: 'mmap',
    ...given,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return supervise(folder, [program, '-D', data, ...args], {
    port,
    endSignal: 'QUIT',
    url: `postgres://periplus@127.0.0.1:${port}/postgres`,
    // The first line of the file is the process, and the eighth its state.
    isReady: async pid => {
      const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
    },
  })
}

/** Starts Valkey or Redis on a free port of the loopback interface, without persistence. */
export async function runValkey(program: string, given: EngineSettings = {}): Promise<RunningEngine> {
  const folder = createFolder('valkey')
  const port = await freePort()
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    dir: folder,
    ...given,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  return supervise(folder, [program, ...args], {
    port,
    endSignal: 'KILL',
    url: `redis://127.0.0.1:${port}`,
    isReady: async pid => new RegExp(`process_id:${pid}\\b`).test(await ask(port, 'INFO server\r\n')),
  })
}

/** Starts a Sentinel on a free port, which watches a primary under a name and promotes its replica when asked to. */
export async function runSentinel(program: string, name: string, primary: RunningEngine): Promise<RunningEngine> {
  const folder = createFolder('sentinel')
  const port = await freePort()
  const file = join(folder, 'sentinel.conf')
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${name} 127.0.0.1 ${primary.port} 1`,
    // A slow machine is no reason for a fail-over; tests ask for it.
    `sentinel down-after-milliseconds ${name} 3600000`,
  ]
  // The Sentinel writes what it learns into its file.
  writeFileSync(file, `${lines.join('\n')}\n`)
  if (owner.uid !== undefined) chownSync(file, owner.uid, owner.gid)
  return supervise(folder, [program, file, '--sentinel'], {
    port,
    endSignal: 'KILL',
    url: `redis://127.0.0.1:${port}`,
    isReady: async pid => new RegExp(`process_id:${pid}\\b`).test(await ask(port, 'INFO server\r\n')),
  })
}

/** Credentials of the S3 store that `runS3` starts, as variables of the environment. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'periplus', AWS_SECRET_ACCESS_KEY: 'secret-of-tests' }

/** Starts SeaweedFS as an S3 store on free ports of the loopback interface; its URL is an address of blobs. */
export async function runS3(program: string): Promise<RunningEngine> {
  const folder = createFolder('s3')
  const credentials = { accessKey: s3Credentials.AWS_ACCESS_KEY_ID, secretKey: s3Credentials.AWS_SECRET_ACCESS_KEY }
  const identities = [{ name: 'tests', credentials: [credentials], actions: ['Admin', 'Read', 'Write', 'List'] }]
  const identityFile = join(folder, 's3.json')
  writeFileSync(identityFile, JSON.stringify({ identities }))
  if (owner.uid !== undefined) chownSync(identityFile, owner.uid, owner.gid)
  const names = ['s3', 'filer', 'master', 'volume']
  const ports: number[] = []
  while (ports.length < 2 * names.length) ports.push(await freePort())
  const [port, filer] = ports as [number, number]
  const settings = {
    dir: folder,
    ip: '127.0.0.1',
    'ip.bind': '127.0.0.1',
    s3: true,
    's3.config': identityFile,
    's3.iam': false,
    's3.port.iceberg': 0,
    's3.port.lance': 0,
    'master.telemetry': false,
    'master.volumeSizeLimitMB': 64,
    'volume.max': 100,
    ...Object.fromEntries(names.map((name, index) => [`${name}.port`, ports[index]])),
    ...Object.fromEntries(names.map((name, index) => [`${name}.port.grpc`, ports[names.length + index]])),
  }
  const args = Object.entries(settings).map(([name, value]) => `-${name}=${value}`)
  return supervise(folder, [program, 'server', ...args], {
    port,
    endSignal: 'KILL',
    url: `s3://tests?endpoint=http://127.0.0.1:${port}`,
    // A file can be written once all parts of the store have found each other.
    isReady: async () => {
      const written = await fetch(`http://127.0.0.1:${filer}/ready`, { method: 'PUT', body: 'ready' })
      return written.ok && (await fetch(`http://127.0.0.1:${port}/healthz`)).ok
    },
  })
}

interface Probe {
  readonly port: number
  readonly url: string
  /** Ends the process without waiting for its clients. */
  readonly endSignal: 'QUIT' | 'KILL'
  /** Resolves to true when the process accepts calls; throws or resolves to false until then. */
  isReady(pid: number): Promise<boolean>
}

async function supervise(folder: string, command: readonly string[], probe: Probe): Promise<RunningEngine> {
  const shell = spawn('sh', ['-c', supervisor, folder, ...command], {
    ...owner,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', END_SIGNAL: probe.endSignal },
  })
  const ended = new Promise(resolve => shell.once('exit', resolve))
  const waitForStart = async (): Promise<RunningEngine> => {
    const pid = Number(String(await new Promise(resolve => shell.stdout.once('data', resolve))))
    const endMs = performance.now() + startLimitMs
    for (let turn = 1; !(await probe.isReady(pid).catch(() => false)); turn++) {
      if ((turn % 25 === 0 && hasEnded(pid)) || performance.now() > endMs) {
        const log = readFileSync(join(folder, 'log'), 'utf8')
        shell.stdin.end()
        throw new Error(`${command[0]} did not start on port ${probe.port}:\n${log}`)
      }
      await sleep(20)
    }
    return { url: probe.url, port: probe.port, pid, restart, stop }
  }
  const restart = () => {
    shell.stdin.write('\n')
    return waitForStart()
  }
  const stop = async () => {
    shell.ref()
    shell.stdin.end()
    await ended
  }
  const started = await waitForStart()
  for (const part of [shell, shell.stdin, shell.stdout] as { unref?: () => void }[]) part.unref?.()
  return started
}

/** Returns true for a process that is gone, or that only waits for its parent to read its result. */
const hasEnded = (pid: number): boolean =>
  !/^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout)

/** Creates a folder that the server can enter and remove; the folder of the test run is private. */
function createFolder(name: string): string {
  const run = tmpdir()
  const base = owner.uid === undefined ? run : (findTemporaryFolder() ?? dirname(run))
  const folder = mkdtempSync(join(base, `periplus-${name}-`))
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** Returns the first part of the answer of a server to a line. */
const ask = (port: number, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(line))
    socket.once('error', reject)
    socket.once('data', answer => {
      socket.destroy()
      resolve(String(answer))
    })
  })
