import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type HeldCounts, LocalCounts } from '../../kit/held-counts.ts'
import { isLingering } from './linger.ts'

/** Limits on connections. */
export interface ConnectionLimits {
  /** Maximum number of open connections of one address. */
  readonly maxPerAddress: number
  /** Returns the name under which an address is counted; undefined for an address without a limit. */
  readonly countAs: (address: string) => string | undefined
  /** Counts the open connections of each name; by default those of the calling thread. */
  readonly counts?: HeldCounts
}

/** Reason to end a connection: too many of its address, or too many pipelined requests that wait. */
type EndReason = 'address' | 'pipelining'

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Maximum number of pipelined requests that wait on all connections. Node reads up to 64 KB at once from a connection,
 * and each request in them takes some kilobytes of memory.
 */
const maxWaiting = 10_000

interface Connection {
  readonly countedAs: string | undefined
  /** The latest response, until it has been sent; undefined while the connection is idle. */
  latest: ServerResponse | undefined
  /** Number of pipelined requests that wait for their turn. */
  waiting: number
}

/**
 * The open connections of a server: bounds them by address, and starts the requests of each connection one at a time. A
 * pipelined request starts when the response before it has left the process, and nothing more is read until then. So a
 * connection holds at most one response, and a client that does not read is charged for no other.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, Connection>()
  readonly #byAddress: HeldCounts
  readonly #ended: Record<EndReason, number> = { address: 0, pipelining: 0 }
  /** Number of pipelined requests that wait on all connections. */
  #waiting = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#byAddress = limits.counts ?? new LocalCounts()
  }

  /** Tracks all further connections of a server. */
  track(server: Server): void {
    const connections = this
    const forget = function (this: Socket) {
      connections.#forget(this)
    }
    server.on('connection', socket => {
      if (this.#add(socket)) socket.on('close', forget)
    })
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size
  }

  /** Numbers of connections that were ended, by reason. */
  get ended(): Readonly<Record<EndReason, number>> {
    return this.#ended
  }

  /** Returns the open connections. */
  sockets(): Iterable<Socket> {
    return this.#open.keys()
  }

  /** Returns the latest response of a connection, unless it has been sent and its request has been read. */
  latestResponse(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.latest
  }

  /**
   * Passes a request to its handler when the responses before it on the connection have been sent; never if the
   * connection ends before.
   */
  dispatch(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): void {
    const { socket } = request
    const connection = this.#open.get(socket)
    if (connection === undefined || !isUsable(socket)) return
    const { latest } = connection
    connection.latest = response
    if (latest === undefined || isSent(latest)) handle(request, response)
    else if (this.#waiting >= maxWaiting) this.#end(socket, 'pipelining')
    else this.#enqueue(socket, connection, latest, () => isUsable(socket) && handle(request, response))
  }

  /** Notes that a response has been sent. */
  endRequest(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    // A response that was sent before its request was read to the end still concerns the parser.
    if (connection?.latest === response && response.req.complete) connection.latest = undefined
  }

  /** Calls `start` when the previous response has been sent; reads nothing until then. */
  #enqueue(socket: Socket, connection: Connection, previous: ServerResponse, start: () => void): void {
    this.#waiting++
    if (connection.waiting++ === 0) {
      socket.on('resume', stopReading)
      socket.pause()
    }
    previous.once('close', () => {
      if (!this.#open.has(socket)) return
      this.#waiting--
      if (--connection.waiting === 0) {
        socket.off('resume', stopReading)
        socket.resume()
      }
      start()
    })
  }

  #add(socket: Socket): boolean {
    const { remoteAddress } = socket
    // The address is missing if the client has closed the connection already.
    const countedAs = remoteAddress === undefined ? undefined : this.#limits.countAs(remoteAddress)
    if (countedAs !== undefined && !this.#byAddress.addBelow(countedAs, this.#limits.maxPerAddress)) {
      this.#end(socket, 'address')
      return false
    }
    this.#open.set(socket, { countedAs, latest: undefined, waiting: 0 })
    return true
  }

  #end(socket: Socket, reason: EndReason): void {
    this.#ended[reason]++
    socket.destroy()
  }

  #forget(socket: Socket): void {
    const { countedAs, waiting } = this.#open.get(socket)!
    this.#waiting -= waiting
    this.#open.delete(socket)
    if (countedAs !== undefined) this.#byAddress.add(countedAs, -1)
  }
}

/** Returns true if all bytes of a response have left the process, or never will. */
export const isSent = (response: ServerResponse): boolean => response.writableFinished || response.destroyed

/** Returns true if a response can still be sent. */
const isUsable = (socket: Socket): boolean => socket.writable && !isLingering(socket)

/** Stops reading again: Node resumes a connection after each response. */
function stopReading(this: Socket): void {
  this.pause()
}
