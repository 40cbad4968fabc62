/**
 * Buffers for bodies that are composed for one response. Each has room for the head in front of it, so that both are
 * one write, and is used again once its response has been sent: allocating one for each keeps the garbage collector busy.
 */

/** Bytes in front of a body. */
const headRoom = 2048
const slabBytes = 65_536
/** Maximum number of slabs that wait for their next use. */
const maxFree = 64

const free: Buffer[] = []
/** The slabs of bodies that have not been sent. */
const slabs = new WeakMap<Buffer, Buffer>()

/** Allocates the bytes of a body that is sent once and not kept. */
export function allocateBody(bytes: number): Buffer {
  if (bytes + headRoom > slabBytes) return Buffer.allocUnsafeSlow(bytes)
  const slab = free.pop() ?? Buffer.allocUnsafeSlow(slabBytes)
  const body = slab.subarray(headRoom, headRoom + bytes)
  slabs.set(body, slab)
  return body
}

/** Writes a head in front of a body and returns both; undefined if there is no room for it. */
export function joinHead(head: string, body: Buffer): Buffer | undefined {
  const slab = slabs.get(body)
  if (slab === undefined || head.length > headRoom) return undefined
  const start = headRoom - head.length
  slab.write(head, start, 'latin1')
  return slab.subarray(start, headRoom + body.length)
}

/** Takes back the buffer of a body whose bytes have left the process. The body must not be used any more. */
export function releaseBody(body: Buffer): void {
  const slab = slabs.get(body)
  if (slab === undefined) return
  slabs.delete(body)
  if (free.length < maxFree) free.push(slab)
}
