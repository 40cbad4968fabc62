import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../databases.ts'
import type { RunningEngine } from '../setup/run-engine.ts'
import { killAll, suspend } from '../suspend.ts'
import type { LinkState } from './link.ts'
import type { ClusterNode } from './node.ts'

/** The servers of a cluster. */
export interface Servers {
  cache: RunningEngine
  store: RunningEngine
  readonly database: string
}

export interface FaultParts {
  readonly nodes: readonly ClusterNode[]
  readonly servers: Servers
  readonly random: () => number
  /** Longest time of a fault, in milliseconds. */
  readonly maxMs: number
  readonly print: (text: string) => void
  /** Called when the states of limits are lost, before the cache is back. */
  readonly onCacheLost?: () => Promise<void>
}

/** A kind of fault: it starts, and returns what ends it. */
type Fault = () => Promise<() => Promise<void>>

/** The things that can fail. While one fails, it does not fail again. */
type Part = 'node' | 'cache' | 'store' | 'link'

/** Random faults of nodes, servers and links. */
export class Faults {
  /** Number of faults by name. */
  readonly counts = new Map<string, number>()
  /** Number of processes that were killed. */
  kills = 0
  readonly #parts: FaultParts
  readonly #failing = new Set<Part>()

  constructor(parts: FaultParts) {
    this.#parts = parts
  }

  /** Lets one thing fail for some time. */
  async fail(): Promise<void> {
    const kinds = this.#kinds().filter(([part]) => !this.#failing.has(part))
    const [part, name, start] = kinds[this.#below(kinds.length)]!
    const durationMs = this.#below(this.#parts.random() < 0.3 ? this.#parts.maxMs : 1500)
    this.#failing.add(part)
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    this.#parts.print(`${name} for ${durationMs} ms`)
    const end = await start()
    await sleep(durationMs)
    await end()
    this.#failing.delete(part)
    this.#parts.print(`${name} has ended`)
  }

  #kinds(): (readonly [Part, string, Fault])[] {
    const { servers } = this.#parts
    return [
      ['node', 'node killed', () => this.#killNode()],
      ['node', 'node killed', () => this.#killNode()],
      ['node', 'node suspended', () => this.#suspendNode()],
      ['cache', 'cache killed', () => this.#killCache()],
      ['cache', 'cache killed', () => this.#killCache()],
      ['cache', 'cache suspended', async () => awaiting(suspend(servers.cache.pid))],
      ['cache', 'cache flushed', () => this.#flush()],
      ['store', 'store killed', () => this.#killStore()],
      ['store', 'store suspended', async () => awaiting(suspend(servers.store.pid))],
      ['store', 'store connections ended', () => this.#endConnections()],
      ['link', 'link to cache cut', () => this.#change('cache', { cut: true })],
      ['link', 'link to store cut', () => this.#change('store', { cut: true })],
      ['link', 'links to both cut', () => this.#changeBoth({ cut: true })],
      ['link', 'link to cache silent', () => this.#change('cache', { silent: true })],
      ['link', 'link to store silent', () => this.#change('store', { silent: true })],
      ['link', 'links to both silent', () => this.#changeBoth({ silent: true })],
      ['link', 'link to cache slow', () => this.#change('cache', { delayMs: this.#delayMs() })],
      ['link', 'link to store slow', () => this.#change('store', { delayMs: this.#delayMs() })],
      ['link', 'reply of cache cut', () => this.#change('cache', { cutReplyAfter: this.#below(40) })],
      ['link', 'reply of store cut', () => this.#change('store', { cutReplyAfter: this.#below(40) })],
    ]
  }

  #below(n: number): number {
    return Math.floor(n * this.#parts.random())
  }

  #anyNode(): ClusterNode {
    return this.#parts.nodes[this.#below(this.#parts.nodes.length)]!
  }

  #delayMs(): number {
    return [20, 200, 2000][this.#below(3)]!
  }

  async #killNode() {
    const node = this.#anyNode()
    this.kills++
    await node.kill()
    return () => this.#startNode(node)
  }

  /** Starts a node until it runs, as a supervisor does: it ends while a server that it needs is missing. */
  async #startNode(node: ClusterNode): Promise<void> {
    for (;;) {
      try {
        return await node.start()
      } catch (error) {
        this.#parts.print(`${node.parts.name} did not start: ${String(error).split('\n').at(-1)}`)
        await sleep(200)
      }
    }
  }

  async #suspendNode() {
    const node = this.#anyNode()
    node.suspend()
    return async () => node.resume()
  }

  async #killCache() {
    const { servers, onCacheLost } = this.#parts
    this.kills++
    process.kill(servers.cache.pid, 'SIGKILL')
    return async () => {
      await onCacheLost?.()
      servers.cache = await servers.cache.restart()
    }
  }

  async #flush() {
    const { Socket } = await import('node:net')
    const socket = new Socket().connect(this.#parts.servers.cache.port, '127.0.0.1')
    await new Promise<void>(resolve => {
      socket.on('error', () => resolve())
      socket.once('data', () => resolve())
      socket.write('FLUSHALL\r\n')
    })
    socket.destroy()
    return async () => {}
  }

  async #killStore() {
    const { servers } = this.#parts
    this.kills++
    killAll(servers.store.pid)
    return async () => {
      servers.store = await servers.store.restart()
    }
  }

  async #endConnections() {
    const others = 'datname = current_database() AND pid <> pg_backend_pid()'
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`
    const storm = async () => {
      for (let i = 0; i < 5; i++) {
        // The server itself may be gone.
        await query(this.#parts.servers.database, end).catch(() => undefined)
        await sleep(50)
      }
    }
    await storm()
    return storm
  }

  async #change(link: 'cache' | 'store', state: LinkState) {
    const { parts } = this.#anyNode()
    parts[link].set(state)
    return async () => parts[link].set({})
  }

  async #changeBoth(state: LinkState) {
    const { parts } = this.#anyNode()
    parts.cache.set(state)
    parts.store.set(state)
    return async () => {
      parts.cache.set({})
      parts.store.set({})
    }
  }
}

const awaiting = (end: () => void) => async (): Promise<void> => end()
