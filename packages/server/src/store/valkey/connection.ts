import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { StatesUnavailable } from '../../domain/limit-states.ts'
import type { HostAndPort, ValkeyAddress } from './address.ts'
import { encodeCommand, type Reply, ReplyError, ReplyParser } from './resp.ts'

/** Replies that are expected for one write. */
interface Expected {
  readonly count: number
  readonly resolve: (replies: readonly Reply[]) => void
  readonly reject: (error: Error) => void
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
    socket.on('error', () => {})
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
    if (this.#isClosed) return Promise.reject(new StatesUnavailable('The connection is closed.'))
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

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    for (const { reject } of this.#expected.splice(0)) reject(new StatesUnavailable('The connection was closed.'))
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

/** Opens a connection, signs in, and asks Sentinels for the primary. Throws StatesUnavailable or ReplyError. */
export async function openConnection(address: ValkeyAddress, timeoutMs: number): Promise<ValkeyConnection> {
  const server = address.primary === undefined ? address.hosts[0]! : await findPrimary(address, timeoutMs)
  const { username, password } = address
  const { connection } = await connectTo(server, address, timeoutMs, async opened => {
    if (password !== undefined) await opened.ask('AUTH', ...(username ? [username] : []), password)
  })
  return connection
}

/** Asks the Sentinels, one at a time, for the address of the primary. */
async function findPrimary(address: ValkeyAddress, timeoutMs: number): Promise<HostAndPort> {
  for (const sentinel of address.hosts) {
    try {
      const { connection, greeting } = await connectTo(sentinel, address, timeoutMs, opened =>
        opened.ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.primary!),
      )
      connection.close()
      if (Array.isArray(greeting)) return { host: String(greeting[0]), port: Number(greeting[1]) }
    } catch {
      // The next Sentinel may know it.
    }
  }
  throw new StatesUnavailable(`No Sentinel knows the primary ${address.primary}.`)
}

/** Connects to a host and greets it; both must succeed in time. */
async function connectTo<T>(
  { host, port }: HostAndPort,
  { tls }: ValkeyAddress,
  timeoutMs: number,
  greet: (connection: ValkeyConnection) => Promise<T>,
): Promise<{ readonly connection: ValkeyConnection; readonly greeting: T }> {
  const socket = tls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
  const connection = new ValkeyConnection(socket)
  const timer = setTimeout(() => connection.close(), timeoutMs)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(tls ? 'secureConnect' : 'connect', resolve)
      socket.once('close', () => reject(new StatesUnavailable(`${host}:${port} does not answer.`)))
    })
    return { connection, greeting: await greet(connection) }
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
