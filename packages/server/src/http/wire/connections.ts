import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Limits on connections. */
export interface ConnectionLimits {
  /** Maximum number of open connections of one address. */
  readonly maxPerAddress: number
  /** Returns the name under which an address is counted; undefined for an address without a limit. */
  readonly countAs: (address: string) => string | undefined
}

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
  readonly #byAddress = new Map<string, number>()
  /** For pipelined requests that arrived before the response to the previous one had been sent. */
  readonly #turns = new WeakMap<ServerResponse, Promise<void>>()
  #refused = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Follows all connections and requests of a server from now. Node itself lists only connections that have had a request. */
  track(server: Server): void {
    const connections = this
    const forget = function (this: Socket) {
      connections.#forget(this)
    }
    server.on('connection', socket => {
      if (this.#add(socket)) socket.on('close', forget)
    })
    // Before the handlers of requests, which may start in a different order than they arrived.
    server.prependListener('request', (request, response) => this.#enqueue(request.socket, response))
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size
  }

  /** Number of connections that were closed because their address had too many. */
  get refused(): number {
    return this.#refused
  }

  /** Returns the open connections. */
  sockets(): Iterable<Socket> {
    return this.#open.keys()
  }

  /** Returns the latest response of a connection, unless it has been sent and its request has been read. */
  latestResponse(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.latest
  }

  /** Returns a promise that resolves when all responses before this one have been sent; undefined if they have. */
  turnOf(response: ServerResponse): Promise<void> | undefined {
    return this.#turns.get(response)
  }

  /** Notes that a response has been sent. */
  endRequest(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    // A response that was sent before its request was read to the end still concerns the parser.
    if (connection?.latest === response && response.req.complete) connection.latest = undefined
  }

  #enqueue(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const previous = connection.latest
    connection.latest = response
    if (previous === undefined || isSent(previous)) return
    if (connection.waiting++ === 0) {
      socket.on('resume', stopReading)
      socket.pause()
    }
    const turn = new Promise<void>(resolve => {
      previous.once('close', () => {
        if (--connection.waiting === 0) {
          socket.off('resume', stopReading)
          socket.resume()
        }
        resolve()
      })
    })
    this.#turns.set(response, turn)
  }

  #add(socket: Socket): boolean {
    const { remoteAddress } = socket
    // The address is missing if the client has closed the connection already.
    const countedAs = remoteAddress === undefined ? undefined : this.#limits.countAs(remoteAddress)
    const count = countedAs === undefined ? 0 : (this.#byAddress.get(countedAs) ?? 0)
    if (count >= this.#limits.maxPerAddress) {
      this.#refused++
      socket.destroy()
      return false
    }
    if (countedAs !== undefined) this.#byAddress.set(countedAs, count + 1)
    this.#open.set(socket, { countedAs, latest: undefined, waiting: 0 })
    return true
  }

  #forget(socket: Socket): void {
    const { countedAs } = this.#open.get(socket)!
    this.#open.delete(socket)
    if (countedAs === undefined) return
    const left = this.#byAddress.get(countedAs)! - 1
    if (left === 0) this.#byAddress.delete(countedAs)
    else this.#byAddress.set(countedAs, left)
  }
}

/** Returns true if all bytes of a response have left the process, or never will. */
export const isSent = (response: ServerResponse): boolean => response.writableFinished || response.destroyed

/** Stops reading again: Node resumes a connection after each response. */
function stopReading(this: Socket): void {
  this.pause()
}
