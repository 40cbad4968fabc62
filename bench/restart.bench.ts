/**
 * Measures how long new connections are refused while the service restarts, without a supervisor, in two ways: the next
 * process waits for the folder (`--wait`), or it is started when the old one has ended. Connections with requests are
 * open.
 *   npm run bench -- restart [--rounds 5] [--clients 4]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { flag, median } from './load/figures.ts'
import { folderWith, periplus, samplePlaces, unlimitedKey } from './load/folder.ts'

const rounds = Number(flag('rounds', '5'))
const clients = Number(flag('clients', '4'))
/** Interval of the attempts to connect, in milliseconds. */
const probeEveryMs = 2

const { folder } = folderWith(samplePlaces)
const headers = { 'X-API-Key': unlimitedKey(folder) }
const probe = createServer().listen(0, '127.0.0.1')
await once(probe, 'listening')
const { port } = probe.address() as { port: number }
probe.close()
const url = `http://127.0.0.1:${port}/locations/1?version=1`

function serve(): { child: ChildProcess; ready: Promise<unknown> } {
  const [program, ...args] = periplus
  const flags = ['serve', '--data', folder, '--port', String(port), '--log-level', 'silent', '--wait', '60']
  const child = spawn(program!, [...args, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  return { child, ready: once(child.stdout!, 'data') }
}

const request = (agent: Agent | undefined): Promise<'answered' | 'refused' | 'failed'> =>
  new Promise(resolve => {
    const sent = get(url, { headers, ...(agent ? { agent } : { agent: false }) }, response => {
      response.resume()
      response.on('end', () => resolve('answered'))
      response.on('error', () => resolve('failed'))
    })
    sent.on('error', error => {
      const { code } = error as NodeJS.ErrnoException
      resolve(code === 'ECONNREFUSED' || (code === 'ECONNRESET' && !sent.reusedSocket) ? 'refused' : 'failed')
    })
  })

/** Restarts under load. Returns the time between the first and the last refused connection, and the failed requests. */
async function measure(restart: () => Promise<void>) {
  const stop = new AbortController()
  const refusedAtMs: number[] = []
  let failed = 0
  const probing = (async () => {
    while (!stop.signal.aborted) {
      const atMs = performance.now()
      void request(undefined).then(outcome => {
        if (outcome === 'refused') refusedAtMs.push(atMs)
      })
      await wait(probeEveryMs)
    }
  })()
  const lanes = Array.from({ length: clients }, async (_, i) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stop.signal.aborted) {
      if ((await request(agent)) === 'failed') failed++
      await wait(i * 5)
    }
    agent.destroy()
  })
  await restart()
  stop.abort()
  await Promise.all([probing, ...lanes])
  const refusedMs = refusedAtMs.length === 0 ? 0 : Math.max(...refusedAtMs) - Math.min(...refusedAtMs) + probeEveryMs
  return { refusedMs, refused: refusedAtMs.length, failed }
}

let current = serve()
await current.ready
const ways: Record<string, () => Promise<void>> = {
  'the next process waits': async () => {
    const next = serve()
    await wait(3000)
    const ended = once(current.child, 'exit')
    current.child.kill('SIGTERM')
    await Promise.all([ended, next.ready])
    current = next
    await wait(300)
  },
  'the next process starts after the end': async () => {
    const ended = once(current.child, 'exit')
    current.child.kill('SIGTERM')
    await ended
    current = serve()
    await current.ready
    await wait(300)
  },
}
const rows = []
for (const [way, restart] of Object.entries(ways)) {
  const seen = []
  for (let round = 0; round < rounds; round++) seen.push(await measure(restart))
  rows.push({
    way,
    'refused for ms, median': Math.round(median(seen.map(({ refusedMs }) => refusedMs))),
    longest: Math.round(Math.max(...seen.map(({ refusedMs }) => refusedMs))),
    'refused connections': seen.reduce((sum, { refused }) => sum + refused, 0),
    'failed requests': seen.reduce((sum, { failed }) => sum + failed, 0),
  })
}
console.table(rows)
current.child.kill('SIGTERM')
await once(current.child, 'exit')
