import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientCounts, KeyLimits } from './evidence.ts'

/** A key that clients call with. */
export interface TrafficKey {
  readonly id: string
  readonly secret: string
  readonly limits: KeyLimits
}

/** A node as clients see it: its URL, undefined while it does not run. */
export interface Target {
  readonly url: string | undefined
}

export interface TrafficParts {
  readonly targets: readonly Target[]
  /** Keys with a rate that binds; they are used all the time. */
  readonly rateKeys: readonly TrafficKey[]
  /** Keys with a quota that binds; a few are used at a time, each until it is used up. */
  readonly quotaKeys: readonly TrafficKey[]
  /** A key that hardly anything limits. */
  readonly hotKey: TrafficKey
  readonly random: () => number
  /** Number of clients. Default: 12. */
  readonly clients?: number
  /** Called with each complete response. */
  readonly onResponse?: (target: Target, status: number) => void
}

/** Calls of the hot key to a node. `busy`: refused because other nodes were always faster. */
export interface HotCalls {
  readonly admitted: number
  readonly busy: number
}

const defaultClients = 12
const openQuotaKeys = 4
/** Maximum number of places, and so of units, of a call. */
export const maxIds = 5
const places = 30
const pauseMs = 12
const responseLimitMs = 8000
/** A key is used up after so many refusals in a row. */
const usedUpAfter = 12

/** Clients that send calls to the nodes in turn, and count what is answered. */
export class Traffic {
  readonly counts = new Map<string, ClientCounts>()
  /** Number of responses by status, or by the code of a problem. */
  readonly outcomes = new Map<string, number>()
  readonly #parts: TrafficParts
  readonly #refusals = new Map<string, number>()
  #nextKey = 0
  #active: TrafficKey[] = []
  #ended: Promise<unknown> | undefined
  #isStopped = false
  /** The calls to each node while all calls are for the hot key. */
  #hotCalls: Map<Target, HotCalls> | undefined

  constructor(parts: TrafficParts) {
    this.#parts = parts
    for (const { id } of [...parts.rateKeys, ...parts.quotaKeys, parts.hotKey])
      this.counts.set(id, { answers: 0, units: 0, unanswered: 0, unansweredUnits: 0, unitsBefore: 0 })
  }

  start(): void {
    this.#ended = Promise.all(Array.from({ length: this.#parts.clients ?? defaultClients }, (_, i) => this.#send(i)))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#ended
  }

  /** Sends all calls with one key; the returned function ends that, and returns the calls to each node. */
  heat(): () => ReadonlyMap<Target, HotCalls> {
    const calls = new Map<Target, HotCalls>()
    this.#hotCalls = calls
    return () => {
      this.#hotCalls = undefined
      return calls
    }
  }

  /** Uses up each quota that has been used, on all nodes that run. Returns the keys. */
  async exhaust(): Promise<readonly TrafficKey[]> {
    const agent = createAgent()
    const targets = this.#parts.targets.filter(({ url }) => url !== undefined)
    for (const counts of this.counts.values()) counts.unitsBefore = counts.units
    const used = this.#parts.quotaKeys.slice(0, this.#nextKey)
    await Promise.all(
      used.map(async (key, i) => {
        for (let turn = i, refused = 0; refused < targets.length; turn++) {
          const status = await this.#call(targets[turn % targets.length]!, key, 1, agent)
          refused = status === 429 ? refused + 1 : 0
        }
      }),
    )
    agent.destroy()
    return used
  }

  async #send(client: number): Promise<void> {
    const { random, targets } = this.#parts
    const agent = createAgent()
    for (let turn = client; !this.#isStopped; turn++) {
      const count = random() < 0.7 ? 1 : 1 + Math.floor(random() * maxIds)
      await this.#call(targets[turn % targets.length]!, this.#chooseKey(), count, agent)
      await sleep(random() * 2 * pauseMs)
    }
    agent.destroy()
  }

  #chooseKey(): TrafficKey {
    const { random, rateKeys, quotaKeys, hotKey } = this.#parts
    if (this.#hotCalls) return hotKey
    while (this.#active.length < openQuotaKeys && this.#nextKey < quotaKeys.length)
      this.#active.push(quotaKeys[this.#nextKey++]!)
    const from = random() < 0.6 && this.#active.length > 0 ? this.#active : rateKeys
    return from[Math.floor(random() * from.length)]!
  }

  /** Sends a request for `count` places; returns its status, undefined without a complete response. */
  async #call(target: Target, key: TrafficKey, count: number, agent: Agent): Promise<number | undefined> {
    const { random, onResponse } = this.#parts
    if (target.url === undefined) {
      await sleep(pauseMs)
      return undefined
    }
    const first = Math.floor(random() * (places - count))
    const ids = Array.from({ length: count }, (_, i) => first + i + 1)
    const path = count === 1 ? `/locations/${ids[0]}` : `/locations?ids=${ids.join(',')}`
    const counts = this.counts.get(key.id)!
    counts.unanswered++
    counts.unansweredUnits += count
    const response = await request(`${target.url}${path}`, key.secret, agent)
    if (response === undefined) return undefined
    counts.unanswered--
    counts.unansweredUnits -= count
    counts.answers += Number(response.status === 200)
    counts.units += response.units
    this.outcomes.set(response.outcome, (this.outcomes.get(response.outcome) ?? 0) + 1)
    onResponse?.(target, response.status)
    this.#noteRefusal(key, response.status)
    this.#noteHotCall(target, key, response.outcome)
    return response.status
  }

  #noteHotCall(target: Target, key: TrafficKey, outcome: string): void {
    if (key !== this.#parts.hotKey || !this.#hotCalls) return
    const { admitted, busy } = this.#hotCalls.get(target) ?? { admitted: 0, busy: 0 }
    this.#hotCalls.set(target, {
      admitted: admitted + Number(outcome === '200'),
      busy: busy + Number(outcome === 'limits_busy'),
    })
  }

  /** Replaces a key whose quota is used up. */
  #noteRefusal(key: TrafficKey, status: number): void {
    const refusals = status === 429 ? (this.#refusals.get(key.id) ?? 0) + 1 : 0
    this.#refusals.set(key.id, refusals)
    if (refusals >= usedUpAfter) this.#active = this.#active.filter(({ id }) => id !== key.id)
  }
}

const createAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 4 })

interface Response {
  readonly status: number
  /** The status, or the code of the problem. */
  readonly outcome: string
  readonly units: number
}

/** Returns a complete response; undefined without one. */
function request(url: string, secret: string, agent: Agent): Promise<Response | undefined> {
  return new Promise(resolve => {
    const out = get(url, { agent, headers: { 'X-API-Key': secret } }, response => {
      let body = ''
      response.on('data', part => {
        body += part
      })
      response.on('error', () => resolve(undefined))
      response.on('close', () => resolve(undefined))
      response.on('end', () => {
        const status = response.statusCode!
        const code = status === 200 ? undefined : /#([a-z_]+)"/.exec(body)?.[1]
        resolve({ status, outcome: code ?? String(status), units: Number(response.headers['x-billed-units'] ?? 0) })
      })
    })
    out.setTimeout(responseLimitMs, () => out.destroy())
    out.on('error', () => resolve(undefined))
  })
}
