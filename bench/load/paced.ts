import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** What callers saw who come at a steady pace, whether or not the answers keep up. Latencies in milliseconds. */
export interface Paced {
  readonly requests: number
  readonly errors: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export interface PacedOptions {
  readonly url: string
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
  readonly perSecond: number
}

/** Requests at fixed times, each timed from when it was due: a stall counts for all that it held up. */
export async function pacedLoad({ url, paths, headers, seconds, perSecond }: PacedOptions): Promise<Paced> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let errors = 0
  const one = (path: string, dueMs: number) =>
    new Promise<void>(resolve => {
      const fail = () => {
        errors++
        resolve()
      }
      const out = get(url + path, { headers, agent }, answer => {
        answer.on('error', fail)
        answer.on('end', () => {
          if (answer.statusCode !== 200) return fail()
          times.push(performance.now() - dueMs)
          resolve()
        })
        answer.resume()
      })
      out.on('error', fail)
    })
  const startMs = performance.now()
  const running: Promise<void>[] = []
  for (let i = 0; i < seconds * perSecond; i++) {
    const dueMs = startMs + (i * 1000) / perSecond
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) await wait(leftMs)
    // A timer may be a little early.
    running.push(one(paths[i % paths.length]!, Math.min(dueMs, performance.now())))
  }
  await Promise.all(running)
  agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(2))
  return { requests: times.length, errors, p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs: quantile(1) }
}
