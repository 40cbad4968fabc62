import type { Socket } from 'node:net'
import { countAcceptedBytes, readSendQueues } from './send-queues.ts'

/** Reads the progress of sockets. */
export interface SocketReader {
  /** Returns the number of bytes of a socket that the kernel has accepted. */
  readonly countAccepted: (socket: Socket) => number
  /** Returns the number of bytes that clients have not acknowledged, as far as the system reports it. */
  readonly readQueues: (sockets: readonly Socket[]) => Promise<ReadonlyMap<Socket, number>>
}

const kernelReader: SocketReader = { countAccepted: countAcceptedBytes, readQueues: readSendQueues }

/** The progress of a connection at the latest check. */
interface Progress {
  acceptedBytes: number
  /** Bytes that the client had not acknowledged; undefined before the first reading. */
  queuedBytes: number | undefined
  /** Time at which the kernel last accepted bytes. */
  acceptedMs: number
  /** Time of the latest progress. */
  sinceMs: number
}

/**
 * Watches connections with unsent bytes, and ends those that make no progress within the time-out. Progress is a byte
 * that the kernel accepts or that the client acknowledges, so a client that reads slowly is kept.
 */
export class WriteWatch {
  readonly #timeoutMs: number
  readonly #onStalled: (socket: Socket) => void
  readonly #reader: SocketReader
  readonly #writes = new Map<Socket, Progress>()
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, onStalled: (socket: Socket) => void, reader = kernelReader) {
    this.#timeoutMs = timeoutMs
    this.#onStalled = onStalled
    this.#reader = reader
  }

  /** Watches a connection until `remove`. */
  add(socket: Socket, nowMs: number): void {
    this.#writes.set(socket, {
      acceptedBytes: this.#reader.countAccepted(socket),
      queuedBytes: undefined,
      acceptedMs: nowMs,
      sinceMs: nowMs,
    })
    this.#schedule()
  }

  remove(socket: Socket): void {
    this.#writes.delete(socket)
  }

  /** Compares all watched connections with the previous check, and ends those without progress. */
  async check(nowMs: number): Promise<void> {
    const suspects: Socket[] = []
    for (const [socket, progress] of this.#writes) {
      const acceptedBytes = this.#reader.countAccepted(socket)
      // Without unsent bytes the service is the one to continue, for example while it reads a file.
      if (acceptedBytes !== progress.acceptedBytes || socket.writableLength === 0)
        Object.assign(progress, { acceptedBytes, queuedBytes: undefined, acceptedMs: nowMs, sinceMs: nowMs })
      else if (nowMs - progress.acceptedMs >= this.#timeoutMs / 2) suspects.push(socket)
    }
    if (suspects.length > 0) this.#endStalled(suspects, await this.#reader.readQueues(suspects), nowMs)
  }

  #endStalled(suspects: readonly Socket[], queues: ReadonlyMap<Socket, number>, nowMs: number): void {
    for (const socket of suspects) {
      const progress = this.#writes.get(socket)
      if (progress === undefined) continue
      const queuedBytes = queues.get(socket)
      if (queuedBytes !== undefined && queuedBytes < (progress.queuedBytes ?? 0)) progress.sinceMs = nowMs
      progress.queuedBytes = queuedBytes
      if (nowMs - progress.sinceMs < this.#timeoutMs) continue
      this.#writes.delete(socket)
      this.#onStalled(socket)
    }
  }

  /** Checks about ten times per time-out while connections are watched. */
  #schedule(): void {
    this.#timer ??= setTimeout(async () => {
      await this.check(performance.now())
      this.#timer = undefined
      if (this.#writes.size > 0) this.#schedule()
    }, this.#timeoutMs / 10).unref()
  }
}
