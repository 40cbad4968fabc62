/**
 * SIGTERM under load: no request on an open connection fails, and no connection is refused if a supervisor holds the
 * socket. PERIPLUS_RESTARTS sets the number of restarts (`npm run soak`: 20).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collect, main, nodeArgs, type Output, start } from './cli.ts'
import { withFaultPoints } from './kills.ts'
import { configFor, freePort, importRows, makeKey, scratch, startWorld } from './world.ts'

const restarts = Number(process.env.PERIPLUS_RESTARTS ?? 2)
const folder = scratch()
const data = join(folder.path, 'data')
let secret = ''
beforeAll(async () => {
  const config = configFor(data)
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  secret = (await makeKey(config)).secret
})
afterAll(folder.remove)

interface LoadResult {
  answers: number
  /** Connections that were not accepted: refused, or still in the kernel's queue when the listening socket closed. */
  refused: number
  /** Requests on open connections without a complete answer. */
  readonly failed: string[]
}

/** Sends requests on its own connection, `thinkMs` milliseconds apart, until `stop` is aborted. */
async function sendRequests(url: string, seen: LoadResult, stop: AbortSignal, thinkMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!stop.aborted) {
    const outcome = await call(url, agent)
    if (outcome === 'answered') seen.answers++
    else if (outcome === 'not accepted') {
      seen.refused++
      await wait(5)
    } else seen.failed.push(outcome)
    if (thinkMs > 0) await wait(thinkMs)
  }
  agent.destroy()
}

const call = (url: string, agent: Agent): Promise<string> =>
  new Promise(resolve => {
    const out = get(`${url}/locations/1?version=1`, { headers: { 'X-API-Key': secret }, agent }, answer => {
      answer.on('error', error => resolve(`in the answer: ${error.message}`))
      answer.on('end', () =>
        resolve(answer.complete && answer.statusCode === 200 ? 'answered' : `status ${answer.statusCode}`),
      )
      answer.resume()
    })
    out.on('error', (error: NodeJS.ErrnoException) =>
      resolve(wasAccepted(error, out.reusedSocket) ? `${error.code}` : 'not accepted'),
    )
  })

/** Returns false if the connection was refused, or reset before its first answer: it was never accepted. */
const wasAccepted = ({ code }: NodeJS.ErrnoException, answeredBefore: boolean): boolean =>
  code !== 'ECONNREFUSED' && (answeredBefore || code !== 'ECONNRESET')

/** Runs `work` under load of clients with and without pauses. `moreAnswers` waits for more than 50 further answers. */
async function runUnderLoad(
  url: string,
  work: (moreAnswers: () => Promise<void>) => Promise<void>,
): Promise<LoadResult> {
  const seen: LoadResult = { answers: 0, refused: 0, failed: [] }
  const stop = new AbortController()
  // One client always has a request in progress; more of them would slow down the start of the next process.
  const thinking = [0, 2, 3, 5, 20, 90, 400, 700]
  const lanes = thinking.map(thinkMs => sendRequests(url, seen, stop.signal, thinkMs))
  await work(async () => {
    const before = seen.answers
    await expect.poll(() => seen.answers).toBeGreaterThan(before + 50)
  })
  stop.abort()
  await Promise.all(lanes)
  return seen
}

/** Resolves when the service has reported for the `count`th time that it listens. */
async function listening({ stdout }: Output, count = 1): Promise<void> {
  await expect.poll(() => [...stdout().matchAll(/^listening on .*\n/gm)].length).toBeGreaterThanOrEqual(count)
}

test('the new process waits for the end of the old one', { timeout: 0 }, async () => {
  const port = await freePort()
  const args = ['serve', '--data', data, '--port', String(port), '--log-level', 'silent', '--wait', '600']
  let old = start(args)
  await listening(collect(old))
  const seen = await runUnderLoad(`http://127.0.0.1:${port}`, async moreAnswers => {
    for (let i = 0; i < restarts; i++) {
      const log = join(folder.path, `steps-${i}`)
      const next = start(args, { TEST_FAULT_LOG: log }, withFaultPoints)
      const ready = listening(collect(next))
      // The new process has tried to take the lock more than once.
      const tries = () => (existsSync(log) ? readFileSync(log, 'utf8').split('lock lock.sqlite').length - 1 : 0)
      await expect.poll(tries).toBeGreaterThan(1)
      await moreAnswers()
      const ended = once(old, 'exit')
      old.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      await ready
      await moreAnswers()
      old = next
    }
  })
  const ended = once(old, 'exit')
  old.kill('SIGTERM')
  await ended
  expect(seen.failed).toEqual([])
  if (process.env.PERIPLUS_RESTARTS !== undefined) console.log({ restarts, ...seen })
})

test('connections wait for a process that waits for the folder (R-55)', async () => {
  const port = await freePort()
  const args = ['serve', '--data', data, '--port', String(port), '--log-level', 'silent', '--wait', '600']
  const old = start(args, { PERIPLUS_SERVER_IDLE_GRACE_MS: '0' })
  await listening(collect(old))
  // A request that has not arrived completely keeps the old process from ending.
  const slow = connect(port, '127.0.0.1').on('error', () => {})
  slow.write('GET /healthz HTTP/1.1\r\n')
  await once(slow, 'connect')
  const ended = once(old, 'exit')
  old.kill('SIGTERM')
  const url = `http://127.0.0.1:${port}`
  const agent = new Agent({ keepAlive: true })
  const isAccepted = () =>
    new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  await expect.poll(isAccepted).toBe(false)
  const next = start(args)
  const ready = listening(collect(next))
  await expect.poll(isAccepted).toBe(true)
  const waiting = call(url, agent)
  expect([old.exitCode, old.signalCode]).toEqual([null, null])
  slow.destroy()
  expect(await ended).toEqual([0, null])
  expect(await waiting).toBe('answered')
  await ready
  agent.destroy()
  next.kill('SIGTERM')
  expect(await once(next, 'exit')).toEqual([0, null])
})

test('a process that ends still accepts connections while others are open (R-55)', async () => {
  const world = await startWorld({ 'server.idleGraceMs': 600_000 }, [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { port, host } = new URL(world.url)
  const idle = connect(Number(port), '127.0.0.1').on('error', () => {})
  idle.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(idle, 'data')
  const ended = world.close()
  for (const [path, status] of [
    ['/locations/1', 200],
    ['/readyz', 503],
  ] as const) {
    const { headers, ...reply } = await world.get(path)
    expect([path, reply.status, headers.connection]).toEqual([path, status, 'close'])
  }
  idle.destroy()
  await ended
  await expect(world.get('/healthz')).rejects.toThrow('ECONNREFUSED')
})

/** Shell script that holds fd 3 as systemd does, and restarts the service on it whenever it ends. */
const supervisor = `
while [ ! -e "$STOP" ]; do
  sh -c 'export LISTEN_PID=$$ LISTEN_FDS=1; echo "pid $$"; exec "$@"' periplus "$@" || exit 1
done`

test.skipIf(process.platform === 'win32')(
  'no connection is refused if a supervisor holds the socket',
  { timeout: 0 },
  async () => {
    const stopFile = join(folder.path, 'stop')
    const holder = createServer()
    holder.listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    // Node accepts no connection here, because the handle is passed on and closed within this turn of the event loop.
    const { fd } = (holder as unknown as { readonly _handle: { readonly fd: number } })._handle
    const command = [
      process.execPath,
      ...nodeArgs,
      main,
      'serve',
      '--data',
      data,
      '--log-level',
      'silent',
      '--wait',
      '600',
    ]
    const { PATH, TEST_BUNDLE, TEST_COMPILE_CACHE } = process.env
    const child = spawn('sh', ['-c', supervisor, 'sh', ...command], {
      stdio: ['ignore', 'pipe', 'pipe', fd],
      env: { PATH, STOP: stopFile, TEST_BUNDLE, TEST_COMPILE_CACHE },
    })
    holder.close()
    const out = collect(child)
    const pid = () => Number([...out.stdout().matchAll(/^pid (\d+)$/gm)].at(-1)![1])
    await listening(out)
    expect(out.stdout()).toContain(`listening on http://127.0.0.1:${port}\n`)
    const seen = await runUnderLoad(`http://127.0.0.1:${port}`, async moreAnswers => {
      for (let i = 0; i < restarts; i++) {
        process.kill(pid(), 'SIGTERM')
        await listening(out, i + 2)
        await moreAnswers()
      }
    })
    writeFileSync(stopFile, '')
    process.kill(pid(), 'SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(seen.failed).toEqual([])
    expect(seen.refused).toBe(0)
    if (process.env.PERIPLUS_RESTARTS !== undefined) console.log({ restarts, ...seen })
  },
)
