import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type AnswerGet, GetConnection } from './get-connection.ts'
import { timeOuts } from './time-outs.ts'
import type { UnsentResponses } from './unsent-responses.ts'

/** The functions of a server for the requests that are read here. */
export interface GetReaderUse {
  /** Answers a request, or returns false before it has any effect. */
  readonly answer: AnswerGet
  /** Responds to a client that has sent no request in time. */
  readonly onTimeout: (socket: Socket) => void
}

/**
 * Reads the requests of connections in front of Node's HTTP server, which costs as much as answering a read by id. A
 * connection belongs to Node's server from the first request that is not a simple GET, or that `answer` does not know.
 */
export class GetReader {
  readonly #unsent: UnsentResponses
  readonly #connections = new Set<GetConnection>()
  #isReleasing = false

  constructor(unsent: UnsentResponses) {
    this.#unsent = unsent
  }

  /** Takes over the new connections of a server. */
  takeOver(server: Server, { answer, onTimeout }: GetReaderUse): void {
    const [listener] = server.listeners('connection') as ((socket: Socket) => void)[]
    const passOn = (socket: Socket) => listener!.call(server, socket)
    server.off('connection', listener!)
    server.on('connection', socket => {
      // A connection that is one too many of its address has been ended.
      if (socket.destroyed) return
      if (this.#isReleasing) passOn(socket)
      else this.#accept(socket, answer, passOn)
    })
    const timer = setInterval(() => this.#check(onTimeout), timeOuts.connectionsCheckingInterval)
    timer.unref()
    server.on('close', () => clearInterval(timer))
  }

  /** Passes all connections to Node's server: idle ones at once, the others after their response. */
  releaseAll(): void {
    this.#isReleasing = true
    for (const connection of this.#connections) connection.releaseWhenIdle()
  }

  /** Ends all connections. */
  closeAll(): void {
    for (const { socket } of this.#connections) socket.destroy()
  }

  #accept(socket: Socket, answer: AnswerGet, passOn: (socket: Socket) => void): void {
    const connection = new GetConnection(socket, {
      answer,
      unsent: this.#unsent,
      onReleased: input => {
        this.#connections.delete(connection)
        if (socket.destroyed) return
        socket.pause()
        if (input) socket.unshift(input)
        passOn(socket)
        process.nextTick(() => socket.resume())
      },
    })
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
  }

  /** Ends the connections that have been idle for too long, as Node's server would. */
  #check(onTimeout: (socket: Socket) => void): void {
    const { connectionsCheckingInterval, headersTimeout, keepAliveTimeout } = timeOuts
    for (const connection of this.#connections) {
      const idleMs = connection.idleChecks * connectionsCheckingInterval
      if (connection.isNew && idleMs > headersTimeout) {
        this.#connections.delete(connection)
        connection.detach()
        onTimeout(connection.socket)
      } else if (idleMs > keepAliveTimeout) connection.socket.destroy()
      else connection.countCheck()
    }
  }
}
