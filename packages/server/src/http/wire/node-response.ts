import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished, pipeline } from 'node:stream'
import { pipeline as streamTo } from 'node:stream/promises'
import type { FileSlice, StoredBody, StreamedBody, StreamedBytes } from './http-response.ts'
import { closeLingering } from './linger.ts'
import type { ResponseWriter, WrittenResponse } from './response-writer.ts'
import { discardBody } from './slabs.ts'
import type { UnsentResponses } from './unsent-responses.ts'

/** Writes a response by Node's HTTP server. */
export class NodeResponse implements ResponseWriter {
  readonly #raw: ServerResponse
  readonly #socket: Socket
  readonly #unsent: UnsentResponses

  /** Node's objects do not refer to their connection forever, so it is passed as well. */
  constructor(raw: ServerResponse, socket: Socket, unsent: UnsentResponses) {
    this.#raw = raw
    this.#socket = socket
    this.#unsent = unsent
  }

  write({ status, requestId, common, fields, body, closes, keyId, onClosed }: WrittenResponse): void {
    const raw = this.#raw
    const socket = this.#socket
    // Node closes the connection after this response; the rest of the request must not reset it before the client reads
    // it.
    if (isOversized(status)) socket.destroySoon = () => closeLingering(socket)
    const all = ['X-Request-Id', requestId, ...common.list, ...fields]
    raw.writeHead(status, closes ? [...all, 'Connection', 'close'] : all)
    if (Buffer.isBuffer(body)) endWith(body, raw)
    else if (body === undefined || raw.req.method === 'HEAD') raw.end()
    else sendStored(body, raw, socket)
    this.#unsent.track(raw, socket, keyId, Buffer.isBuffer(body) ? body.length : 0)
    if (onClosed) finished(raw, onClosed)
  }
}

/** Returns true if the request was too large. The rest of it is not read, so the connection must close. */
export const isOversized = (status: number): boolean => status === 413 || status === 414 || status === 431

/** Maximum size of a body that is sent as a text, in bytes. */
const maxTextBytes = 4096

/**
 * Ends a response with its body. Node sends a text in one write with the head, which takes 10 µs less than the two
 * parts of a head and a buffer; every byte is one character of Latin-1. The buffer of a composed body is used again
 * when its bytes have left the process.
 */
function endWith(body: Buffer, raw: ServerResponse): void {
  const isHead = raw.req.method === 'HEAD'
  if (!isHead && body.length > maxTextBytes) {
    raw.end(body, () => discardBody(body))
    return
  }
  if (isHead) raw.end()
  else raw.end(body.toString('latin1'), 'latin1')
  discardBody(body)
}

function sendStored(body: StoredBody, raw: ServerResponse, socket: Socket): void {
  // The listeners of pipeline and finished alone reach the number at which Node warns of a leak.
  raw.setMaxListeners(20)
  if ('path' in body) sendFile(body, raw, socket)
  else void sendStream(body, raw, socket)
}

/** Size of one read from a file, in bytes. */
const readSize = 1024 * 1024

/**
 * Sends a slice of a file. If it cannot be read, or the file is too short, closes the connection, so that the client
 * neither accepts a truncated body nor waits for the rest.
 */
function sendFile({ path, start, length }: FileSlice, raw: ServerResponse, socket: Socket): void {
  const file = createReadStream(path, { start, end: start + length - 1, highWaterMark: readSize })
  pipeline(file, raw, error => {
    if (error) raw.destroy()
    else if (file.bytesRead < length) socket.destroySoon()
  })
}

/** Sends bytes from elsewhere. If they end early, or cannot be read, closes the connection as sendFile does. */
async function sendStream({ length, open }: StreamedBody, raw: ServerResponse, socket: Socket): Promise<void> {
  let sent = 0
  let bytes: StreamedBytes | undefined
  const count = async function* () {
    for await (const piece of bytes!) {
      sent += piece.length
      yield piece
    }
  }
  try {
    bytes = await open()
    if (bytes && !raw.destroyed) await streamTo(count, raw)
    if (sent < length) socket.destroySoon()
  } catch {
    raw.destroy()
  } finally {
    bytes?.destroy()
  }
}
