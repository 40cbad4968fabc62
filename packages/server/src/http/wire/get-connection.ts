import type { Socket } from 'node:net'
import { STATUS_CODES } from '../../kit/http.ts'
import { formatFields } from './field-block.ts'
import { readInPlace, type UseBytes } from './read-in-place.ts'
import type { ResponseWriter, WrittenResponse } from './response-writer.ts'
import { type RequestTail, readSimpleGet, type SimpleGet } from './simple-get.ts'
import { joinResponse, releaseSlab } from './slabs.ts'
import { timeOuts } from './time-outs.ts'
import type { UnsentResponses } from './unsent-responses.ts'

/** Answers a request by the writer, or returns false before it has any effect. */
export type AnswerGet = (request: SimpleGet, socket: Socket, writer: ResponseWriter) => boolean

export interface GetConnectionParts {
  readonly unsent: UnsentResponses
  readonly answer: AnswerGet
  /** Called when the connection stops reading, with input that it has not used. */
  readonly onReleased: (input: Buffer | undefined) => void
}

/**
 * A connection whose requests are read here as long as they are simple GETs (`readSimpleGet`), one at a time. It is
 * released with the first other input.
 */
export class GetConnection implements ResponseWriter {
  readonly socket: Socket
  readonly #parts: GetConnectionParts
  #tail: RequestTail | undefined
  #isBusy = false
  /** The buffer of the response that is sent. */
  #slab: Buffer | undefined
  #isReleasing = false
  #isDetached = false
  /** Input that arrived while a response was outstanding; nothing more is read until then. */
  #waiting: Buffer | undefined
  #response: Pick<WrittenResponse, 'closes' | 'onClosed'> | undefined
  #endUnsent: (() => void) | undefined
  #idleChecks = 0

  constructor(socket: Socket, parts: GetConnectionParts) {
    this.socket = socket
    this.#parts = parts
    readInPlace(socket, this.#use)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('error', this.#onError)
  }

  /** True before the first request. */
  get isNew(): boolean {
    return this.#tail === undefined && !this.#isBusy
  }

  /** Number of time checks since the connection became idle. */
  get idleChecks(): number {
    return this.#idleChecks
  }

  /** Counts a time check, unless a response is outstanding. */
  countCheck(): void {
    if (!this.#isBusy) this.#idleChecks++
  }

  /** Releases the connection: at once if it is idle, or else after its response. */
  releaseWhenIdle(): void {
    this.#isReleasing = true
    if (!this.#isBusy) this.#release(undefined)
  }

  /** Stops reading. */
  detach(): void {
    const { socket } = this
    this.#isDetached = true
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('error', this.#onError)
    // An error without a listener would end the process.
    socket.on('error', ignore)
  }

  write(response: WrittenResponse): void {
    const { body, keyId } = response
    const { socket } = this
    this.#response = response
    if (!socket.writable) {
      this.#onSent()
      return
    }
    const head = formatHead(response)
    if (body instanceof Buffer) {
      const { bytes, slab } = joinResponse(head, body)
      this.#slab = slab
      socket.write(bytes)
    } else socket.write(head, 'latin1')
    // A callback of each write would need a turn of its own; usually the kernel has accepted all bytes.
    if (socket.writableLength === 0) this.#onSent()
    else {
      this.#endUnsent = this.#parts.unsent.begin(socket, keyId, body?.length ?? 0)
      socket.write(noBytes, this.#onSent)
    }
  }

  readonly #onData = (bytes: Buffer): void => void this.#use(bytes, bytes.length)

  /** Reads a request, or keeps a copy of the bytes, which are valid until this returns. */
  readonly #use: UseBytes = (buffer, length) => {
    if (this.#isDetached) return false
    if (this.#isBusy) {
      this.#waiting = Buffer.concat([this.#waiting ?? noBytes, buffer.subarray(0, length)])
      this.socket.pause()
    } else this.#read(buffer, length)
    return true
  }

  #read(buffer: Buffer, length: number): void {
    const request = readSimpleGet(buffer, this.#tail, length)
    if (request) {
      this.#isBusy = true
      if (this.#parts.answer(request, this.socket, this)) {
        this.#tail = request.tail
        return
      }
      this.#isBusy = false
    }
    this.#release(Buffer.from(buffer.subarray(0, length)))
  }

  #release(input: Buffer | undefined): void {
    this.detach()
    this.#parts.onReleased(input)
  }

  /** Continues when a response has left the process, or its connection has closed. */
  readonly #onSent = (): void => {
    const { closes = false, onClosed } = this.#response ?? {}
    this.#response = undefined
    if (this.#slab) releaseSlab(this.#slab)
    this.#slab = undefined
    this.#endUnsent?.()
    this.#endUnsent = undefined
    onClosed?.()
    if (closes) this.socket.destroySoon()
    if (closes || this.socket.destroyed) return
    this.#isBusy = false
    this.#idleChecks = 0
    const waiting = this.#waiting
    this.#waiting = undefined
    if (this.#isReleasing) this.#release(waiting)
    else if (waiting) {
      this.socket.resume()
      this.#read(waiting, waiting.length)
    }
  }

  /** Ends the connection when the client does, as Node's HTTP server does. */
  readonly #onEnd = (): void => {
    this.socket.end()
  }

  readonly #onError = (): void => {
    this.socket.destroy()
  }
}

const ignore = () => {}
const noBytes = Buffer.alloc(0)

/** The fields by which Node's HTTP server announces that the connection stays open. */
const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${timeOuts.keepAliveTimeout / 1000}\r\n\r\n`
const close = 'Connection: close\r\n\r\n'

const formatHead = ({ status, requestId, common, fields, closes }: WrittenResponse): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${requestId}\r\n${common.text}${formatFields(fields)}` +
  `Date: ${formatNow()}\r\n${closes ? close : keepAlive}`

/** The latest second, and its HTTP date (RFC 9110 §5.6.7). */
let latest = { second: 0, date: '' }

function formatNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== latest.second) latest = { second, date: new Date(second * 1000).toUTCString() }
  return latest.date
}
