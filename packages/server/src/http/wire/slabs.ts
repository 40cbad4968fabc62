/**
 * Buffers for responses. A body that is composed for one response has room for the head in front of it, so that both
 * are one write; a buffer is used again once its response has been sent. Allocating one for each response would keep
 * the garbage collector busy.
 */

/** Bytes in front of a composed body. */
const headRoom = 2048
const slabBytes = 65_536
/** Maximum number of slabs that wait for their next use. */
const maxFree = 64

const free: Buffer[] = []
/** The slabs of composed bodies that have not been sent. */
const slabs = new WeakMap<Buffer, Buffer>()

const take = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(slabBytes)

/** Allocates the bytes of a body that is sent once and not kept. */
export function allocateBody(bytes: number): Buffer {
  if (bytes + headRoom > slabBytes) return Buffer.allocUnsafeSlow(bytes)
  const slab = take()
  const body = slab.subarray(headRoom, headRoom + bytes)
  slabs.set(body, slab)
  return body
}

/** A head and a body in one buffer. */
export interface JoinedResponse {
  readonly bytes: Buffer
  /** The buffer to release when the bytes have left the process. */
  readonly slab: Buffer | undefined
}

/** Joins a head, in Latin-1, and a body. A composed body must not be used any more. */
export function joinResponse(head: string, body: Buffer): JoinedResponse {
  const composed = slabs.get(body)
  if (composed && head.length <= headRoom) {
    slabs.delete(body)
    const start = headRoom - head.length
    composed.write(head, start, 'latin1')
    return { bytes: composed.subarray(start, headRoom + body.length), slab: composed }
  }
  const length = head.length + body.length
  const slab = length <= slabBytes ? take() : undefined
  const target = slab ?? Buffer.allocUnsafeSlow(length)
  target.write(head, 0, 'latin1')
  body.copy(target, head.length)
  return { bytes: slab ? slab.subarray(0, length) : target, slab }
}

/** Takes back the slab of a composed body that is not sent. The body must not be used any more. */
export function discardBody(body: Buffer): void {
  const slab = slabs.get(body)
  if (slab === undefined) return
  slabs.delete(body)
  releaseSlab(slab)
}

/** Takes back a slab whose bytes have left the process. */
export function releaseSlab(slab: Buffer): void {
  if (free.length < maxFree) free.push(slab)
}
