import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * The state of a link. `cut`: connections are reset and new ones are refused. `silent`: bytes wait until the link carries
 * again. `delayMs`: bytes of both directions are late. `cutReplyAfter`: the next reply is cut after so many bytes.
 */
export interface LinkState {
  readonly cut?: boolean
  readonly silent?: boolean
  readonly delayMs?: number
  readonly cutReplyAfter?: number
}

/** The reply to TIME: seconds and microseconds. */
const timeReply = /\*2\r\n\$10\r\n(\d{10})\r\n(\$\d\r\n\d{1,6}\r\n)/g

/**
 * A TCP proxy between one client and one server, which can be cut and slowed down. Between a node and a cache, it also
 * changes what the clock of the cache shows.
 */
export class Link {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #targetPort: number
  #state: LinkState = {}
  #clockShiftS = 0

  private constructor(targetPort: number) {
    this.#targetPort = targetPort
    this.#server = createServer(client => this.#accept(client))
  }

  /** Opens a link to a port of the loopback interface. */
  static async open(targetPort: number): Promise<Link> {
    const link = new Link(targetPort)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  set(state: LinkState): void {
    this.#state = state
    if (state.cut) this.#reset()
    for (const pair of this.#pairs) pair.flush()
  }

  /** Ports of the connections to the server. */
  get clientPorts(): number[] {
    return [...this.#pairs].flatMap(({ port }) => port ?? [])
  }

  /** Sets by how many seconds the clock of the cache is off. */
  shiftClock(seconds: number): void {
    this.#clockShiftS = seconds
  }

  /** Leads new connections to another port, and resets those to the old one. */
  redirect(targetPort: number): void {
    this.#targetPort = targetPort
    this.#reset()
  }

  close(): void {
    this.#reset()
    this.#server.close()
  }

  #reset(): void {
    for (const pair of this.#pairs) pair.reset()
  }

  #accept(client: Socket): void {
    if (this.#state.cut) {
      client.resetAndDestroy()
      return
    }
    const pair = new Pair(client, connect(this.#targetPort, '127.0.0.1'), {
      state: () => this.#state,
      change: part => this.#shiftTime(part),
      onCutReply: () => this.set({}),
      onEnd: () => this.#pairs.delete(pair),
    })
    this.#pairs.add(pair)
  }

  #shiftTime(part: Buffer): Buffer {
    if (this.#clockShiftS === 0) return part
    const shift = (_: string, seconds: string, rest: string) =>
      `*2\r\n$10\r\n${Number(seconds) + this.#clockShiftS}\r\n${rest}`
    return Buffer.from(part.toString('latin1').replace(timeReply, shift), 'latin1')
  }
}

interface PairParts {
  readonly state: () => LinkState
  /** Changes bytes of the server. */
  readonly change: (part: Buffer) => Buffer
  readonly onCutReply: () => void
  readonly onEnd: () => void
}

/** A connection through a link. */
class Pair {
  readonly #client: Socket
  readonly #server: Socket
  readonly #parts: PairParts
  /** Bytes that wait while the link is silent. */
  readonly #waiting: (readonly [Socket, Buffer])[] = []

  constructor(client: Socket, server: Socket, parts: PairParts) {
    this.#client = client
    this.#server = server
    this.#parts = parts
    client.setNoDelay(true)
    server.setNoDelay(true)
    client.on('data', (part: Buffer) => this.#pass(server, part))
    server.on('data', (part: Buffer) => this.#passReply(this.#parts.change(part)))
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      socket.on('close', () => this.reset())
    }
  }

  get port(): number | undefined {
    return this.#server.localPort
  }

  reset(): void {
    this.#client.resetAndDestroy()
    this.#server.resetAndDestroy()
    this.#parts.onEnd()
  }

  /** Sends what has waited, unless the link is still silent. */
  flush(): void {
    if (this.#parts.state().silent) return
    for (const [to, part] of this.#waiting.splice(0)) this.#pass(to, part)
  }

  #passReply(part: Buffer): void {
    const { cutReplyAfter } = this.#parts.state()
    if (cutReplyAfter === undefined) {
      this.#pass(this.#client, part)
      return
    }
    this.#client.write(part.subarray(0, cutReplyAfter), () => this.reset())
    this.#parts.onCutReply()
  }

  #pass(to: Socket, part: Buffer): void {
    const { silent, delayMs = 0 } = this.#parts.state()
    if (silent || this.#waiting.length > 0) this.#waiting.push([to, part])
    else if (delayMs > 0) setTimeout(() => to.destroyed || to.write(part), delayMs).unref()
    else if (!to.destroyed) to.write(part)
  }
}
