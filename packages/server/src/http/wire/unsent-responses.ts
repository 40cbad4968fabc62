import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Fault, fault } from '../../domain/fault.ts'
import { type HeldCounts, LocalCounts } from '../../kit/held-counts.ts'
import { type Connections, isSent } from './connections.ts'
import type { Traffic } from './traffic.ts'
import { WriteWatch } from './write-watch.ts'

/** Limits on responses that clients do not read. */
export interface UnsentLimits {
  /** Time without progress after which a connection ends. */
  readonly writeTimeoutMs: number
  /** Maximum size of the responses to one key that have not left the process. */
  readonly maxBytesPerKey: number
  /** Counts the bytes of each key; by default those of the calling thread. */
  readonly counts?: HeldCounts
}

/**
 * The responses that have not left the process because their clients do not read them. Their size is bounded per key,
 * and a connection without progress ends.
 */
export class UnsentResponses {
  readonly #limits: UnsentLimits
  readonly #connections: Connections
  readonly #traffic: Pick<Traffic, 'countRefusal'>
  readonly #bytesByKey: HeldCounts
  readonly #watch: WriteWatch
  #bytes = 0
  #stalled = 0

  constructor(limits: UnsentLimits, connections: Connections, traffic: Pick<Traffic, 'countRefusal'>) {
    this.#limits = limits
    this.#connections = connections
    this.#traffic = traffic
    this.#bytesByKey = limits.counts ?? new LocalCounts()
    this.#watch = new WriteWatch(limits.writeTimeoutMs, socket => {
      this.#stalled++
      // A reset also frees the kernel's buffer.
      socket.resetAndDestroy()
    })
  }

  /** Size of all unsent responses to keys, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of connections that ended without progress. */
  get stalled(): number {
    return this.#stalled
  }

  /** Returns 429 if the unsent responses to a key have reached their bound. */
  check(keyId: string): Fault | undefined {
    if (this.#bytesByKey.get(keyId) < this.#limits.maxBytesPerKey) return undefined
    this.#traffic.countRefusal(['unread'])
    return fault('rate_limited', {
      detail: `Responses of ${Math.floor(this.#limits.maxBytesPerKey / 1_048_576)} MB to this key have not been read. Read them, or close their connections.`,
      violatedPolicies: ['unread'],
      headers: { 'Retry-After': String(Math.ceil(this.#limits.writeTimeoutMs / 1000)) },
    })
  }

  /** Counts a response by Node's server, and watches its connection, until it has left the process. */
  track(response: ServerResponse, socket: Socket, keyId: string | undefined, bytes: number): void {
    if (isSent(response) || hasLeft(response)) {
      this.#connections.endRequest(socket, response)
      return
    }
    const end = this.begin(socket, keyId, bytes)
    response.once('close', () => {
      end()
      this.#connections.endRequest(socket, response)
    })
  }

  /** Counts unsent bytes of a connection, and watches it, until the returned function is called. */
  begin(socket: Socket, keyId: string | undefined, bytes: number): () => void {
    this.#watch.add(socket, performance.now())
    this.#count(keyId, bytes)
    return () => {
      this.#watch.remove(socket)
      this.#count(keyId, -bytes)
    }
  }

  #count(keyId: string | undefined, bytes: number): void {
    if (keyId === undefined || bytes === 0) return
    this.#bytes += bytes
    this.#bytesByKey.add(keyId, bytes)
  }
}

/**
 * Returns true if the kernel has accepted all bytes of a response that has ended. Node reports it as finished later;
 * most responses need no watch until then.
 */
const hasLeft = (response: ServerResponse): boolean => response.writableEnded && response.writableLength === 0
