import { connect, type Socket } from 'node:net'

/** Sends requests as bytes and returns the bytes of their answers, one at a time, on a connection that stays open. */
export class RawConnection {
  readonly #origin: URL
  #socket: Socket | undefined
  #received = ''
  #receive: () => void = () => {}

  constructor(origin: string) {
    this.#origin = new URL(origin)
  }

  /** Returns the answer to a request, in Latin-1; what was received so far if the connection ends before. */
  async send(request: string): Promise<string> {
    const socket = this.#socket ?? this.#open()
    this.#socket = socket
    const hasBody = !request.startsWith('HEAD ')
    this.#received = ''
    socket.write(request, 'latin1')
    for (;;) {
      await new Promise<void>(resolve => {
        this.#receive = resolve
      })
      const isEnded = this.#socket !== socket
      if (isEnded || isWhole(this.#received, hasBody)) return this.#received
    }
  }

  /** Ends the connection; the next request opens another. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect(Number(this.#origin.port), this.#origin.hostname)
    socket.setNoDelay()
    socket.on('data', part => {
      this.#received += part.toString('latin1')
      this.#receive()
    })
    // A reset is not an error of the test: the assertions judge what was received before it.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#receive()
    })
    return socket
  }
}

function isWhole(received: string, hasBody: boolean): boolean {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = hasBody ? /\r\nContent-Length: (\d+)\r\n/i.exec(received.slice(0, headEnd + 2))?.[1] : undefined
  return received.length >= headEnd + 4 + Number(length ?? 0)
}
