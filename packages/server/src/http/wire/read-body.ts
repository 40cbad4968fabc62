import type { IncomingMessage } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'

/** Reads the body of a request; a fault if it is larger than `maxBytes`, or if the client stops sending. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | Fault> {
  const parts: Buffer[] = []
  let length = 0
  try {
    // The connection stays open when reading ends early: the client must be able to read the answer.
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      length += (part as Buffer).length
      if (length > maxBytes) return bodyTooLarge(maxBytes)
      parts.push(part as Buffer)
    }
  } catch {
    return fault('bad_request', { detail: 'The request ended in the middle of its body.' })
  } finally {
    request.resume()
  }
  return Buffer.concat(parts)
}

/** Returns the fault of a body above a maximum. */
export const bodyTooLarge = (maxBytes: number): Fault =>
  fault('body_too_large', { detail: `The body may have at most ${maxBytes} bytes.` })
