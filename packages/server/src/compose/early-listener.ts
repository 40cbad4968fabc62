import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** Interval between attempts to listen while another process does, in milliseconds. */
const retryEveryMs = 10
/** Time that connections wait for the service before they are closed, in milliseconds. */
const holdMs = 15_000
/** Maximum number of connections that wait. */
const maxHeld = 1024

/** The address of a service. */
export interface EarlyAddress {
  readonly host: string
  readonly port: number
  /** True if other sockets of the service will share the port. */
  readonly reusePort?: boolean
}

/**
 * Listens for a service that is not ready yet, so that connections wait instead of being refused. While another
 * process listens, it retries until that process stops. It does not keep the process alive, and imports nothing of the
 * service, because loading it takes longer than to listen.
 */
export class EarlyListener {
  readonly #address: EarlyAddress
  readonly #held = new Set<Socket>()
  #server: Server | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #attempt: Promise<void>

  constructor({ host, port, reusePort = false }: EarlyAddress) {
    this.#address = { host, port, reusePort }
    this.#attempt = this.#listen()
  }

  /** Resolves when the latest attempt to listen has succeeded or failed. */
  get attempt(): Promise<void> {
    return this.#attempt
  }

  /** True if connections are accepted. */
  get isListening(): boolean {
    return this.#server !== undefined
  }

  /** Gives the listening socket and the waiting connections to a server. Returns false if there is nothing to give. */
  async handTo(target: Server): Promise<boolean> {
    this.#isOver = true
    await this.#attempt
    clearTimeout(this.#timer)
    if (this.#server === undefined) return false
    target.listen(this.#server)
    await once(target, 'listening')
    target.ref()
    for (const socket of this.#held) {
      socket.removeAllListeners()
      socket.ref()
      target.emit('connection', socket)
      socket.resume()
    }
    this.#held.clear()
    return true
  }

  /** Stops listening and closes the waiting connections. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#attempt
    this.#stop()
  }

  async #listen(): Promise<void> {
    // The options of an HTTP server; connections are not read yet.
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, socket =>
      this.#hold(socket),
    )
    try {
      // A socket that shares its port could listen next to another process.
      if (this.#address.reusePort) await probeAlone(this.#address)
      server.listen(this.#address).unref()
      await once(server, 'listening')
    } catch (error) {
      // The service reports all other errors when it listens itself.
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && !this.#isOver)
        this.#timer = setTimeout(() => {
          this.#attempt = this.#listen()
        }, retryEveryMs).unref()
      return
    }
    this.#server = server
    this.#timer = setTimeout(() => this.#stop(), holdMs).unref()
  }

  #hold(socket: Socket): void {
    socket.on('error', () => {})
    socket.unref()
    if (this.#held.size >= maxHeld) {
      socket.destroy()
      return
    }
    this.#held.add(socket)
    socket.on('close', () => this.#held.delete(socket))
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#server?.close()
    this.#server = undefined
    for (const socket of this.#held) socket.destroy()
  }
}

/** Listens and stops again; rejects with EADDRINUSE if another process listens. */
export async function probeAlone({ host, port }: EarlyAddress): Promise<void> {
  const probe = createServer().listen({ host, port })
  await once(probe, 'listening')
  probe.close()
}
