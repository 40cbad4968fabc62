import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** Result of requests sent at a fixed pace, even if the service does not keep up. Latencies are in milliseconds. */
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

/**
 * Sends requests at fixed times. Each is timed from its due time, so a stall counts for every request that it delays.
 */
export async function pacedLoad({ url, paths, headers, seconds, perSecond }: PacedOptions): Promise<Paced> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let errors = 0
  const send = (path: string, dueMs: number) =>
    new Promise<void>(resolve => {
      const fail = () => {
        errors++
        resolve()
      }
      const request = get(url + path, { headers, agent }, response => {
        response.on('error', fail)
        response.on('end', () => {
          if (response.statusCode !== 200) return fail()
          times.push(performance.now() - dueMs)
          resolve()
        })
        response.resume()
      })
      request.on('error', fail)
    })
  const startMs = performance.now()
  const running: Promise<void>[] = []
  for (let i = 0; i < seconds * perSecond; i++) {
    const dueMs = startMs + (i * 1000) / perSecond
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) await wait(leftMs)
    // Timers may fire slightly early.
    running.push(send(paths[i % paths.length]!, Math.min(dueMs, performance.now())))
  }
  await Promise.all(running)
  agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(2))
  return { requests: times.length, errors, p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs: quantile(1) }
}
