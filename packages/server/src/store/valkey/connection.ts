import type { Socket } from 'node:net'
import { StatesUnavailable } from '../../domain/limit-states.ts'
import { encodeCommand, type Reply, ReplyError, ReplyParser } from './resp.ts'

/** Replies that are expected for one write. */
interface Expected {
  readonly count: number
  readonly resolve: (replies: readonly Reply[]) => void
  readonly reject: (error: Error) => void
}

/** Cause of the end of a connection whose server has not answered in time. */
export const tooSlow = new Error('The server did not answer in time.')

/** Thrown when a connection ends before a reply. */
export class ConnectionClosed extends StatesUnavailable {
  constructor(cause?: Error) {
    super('The connection was closed.', { cause })
  }
}

/**
 * A connection to Valkey or Redis. It neither connects again nor keeps commands: once it is closed, everything that
 * waits is rejected with StatesUnavailable.
 */
export class ValkeyConnection {
  readonly #socket: Socket
  readonly #parser = new ReplyParser()
  readonly #expected: Expected[] = []
  #replies: Reply[] = []
  #isClosed = false

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 10_000)
    socket.setEncoding('latin1')
    socket.on('data', text => this.#receive(String(text)))
    socket.on('error', error => this.close(error))
    socket.on('close', () => this.close())
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Number of writes without a reply. */
  get waiting(): number {
    return this.#expected.length
  }

  /** Sends encoded commands as one write, and returns a reply for each of them. */
  write(commands: string, count: number): Promise<readonly Reply[]> {
    if (this.#isClosed) return Promise.reject(new ConnectionClosed())
    return new Promise((resolve, reject) => {
      this.#expected.push({ count, resolve, reject })
      this.#socket.write(commands)
    })
  }

  /** Sends a command and returns its reply. Throws ReplyError if the server refuses it. */
  async ask(...words: string[]): Promise<Reply> {
    const [reply] = await this.write(encodeCommand(words), 1)
    if (reply instanceof ReplyError) throw reply
    return reply
  }

  /** Closes the connection. `cause`: the error that ended it. */
  close(cause?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    for (const { reject } of this.#expected.splice(0)) reject(new ConnectionClosed(cause))
  }

  #receive(text: string): void {
    try {
      for (const reply of this.#parser.add(text)) this.#take(reply)
    } catch {
      // The server does not speak the protocol.
      this.close()
    }
  }

  #take(reply: Reply): void {
    const [first] = this.#expected
    if (!first) {
      this.close()
      return
    }
    this.#replies.push(reply)
    if (this.#replies.length < first.count) return
    this.#expected.shift()
    first.resolve(this.#replies)
    this.#replies = []
  }
}
