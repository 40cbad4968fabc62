/**
 * Measures what open pages of the portal cost the partner API: requests per second of hot reads while ten sessions poll
 * their overview every five seconds, as the pages do, against the same load without sessions, in alternating rounds.
 *   npm run bench -- polling [--sessions 10] [--everySeconds 5] [--seconds 4] [--rounds 7] [--connections 16]
 */

import { startDemo } from './load/demo.ts'
import { flag, median } from './load/figures.ts'
import { clientCodings, generateLoad } from './load/generate.ts'

const sessions = Number(flag('sessions', '10'))
const everyMs = Number(flag('everySeconds', '5')) * 1000
const seconds = Number(flag('seconds', '4'))
const rounds = Number(flag('rounds', '7'))
const connections = Number(flag('connections', '16'))

const { server, key, signIn } = await startDemo()
const cookies: string[] = []
for (let i = 0; i < sessions; i++) cookies.push(await signIn('partner'))
let pages = 0

/** Requests the overview of each session until the signal aborts, evenly distributed over the interval. */
function poll(signal: AbortSignal): Promise<unknown> {
  const pollOne = async (cookie: string, i: number) => {
    await wait((everyMs * i) / sessions, signal)
    while (!signal.aborted) {
      const reply = await fetch(`${server.url}/portal/demo/`, { headers: { cookie } })
      if (!reply.ok) throw new Error(`The overview answered ${reply.status}.`)
      await reply.text()
      pages++
      await wait(everyMs, signal)
    }
  }
  return Promise.all(cookies.map(pollOne))
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>(done => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })

async function measure(isPolled: boolean): Promise<number> {
  const ending = new AbortController()
  const polling = isPolled ? poll(ending.signal) : undefined
  const load = await generateLoad({
    url: server.url,
    paths: ['/locations/1?version=1'],
    headers: { 'X-API-Key': key, ...clientCodings },
    seconds,
    connections,
  })
  ending.abort()
  await polling
  return load.perSecond
}

await measure(true)
pages = 0
const pairs: { readonly polled: number; readonly alone: number }[] = []
for (let round = 0; round < rounds; round++) {
  const isFirst = round % 2 === 0
  const first = await measure(isFirst)
  const second = await measure(!isFirst)
  pairs.push(isFirst ? { polled: first, alone: second } : { polled: second, alone: first })
}
await server.stop()
const ratio = median(pairs.map(({ polled, alone }) => polled / alone))
console.log(`Hot reads a second: ${median(pairs.map(({ alone }) => alone)).toFixed(0)} alone`)
console.log(`with ${sessions} sessions (${pages} pages): ${median(pairs.map(({ polled }) => polled)).toFixed(0)}`)
console.log(`Median of the ratios: ${ratio.toFixed(3)}`)
