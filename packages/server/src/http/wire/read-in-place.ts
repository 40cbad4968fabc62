import { Socket } from 'node:net'

/** Uses the first bytes of a buffer until it returns; returns false if the stream of the socket has to take them. */
export type UseBytes = (buffer: Buffer, length: number) => boolean

/** The buffer of all reads of a thread: each is used before the next one. */
const buffer = Buffer.allocUnsafeSlow(65_536)

/**
 * Passes the bytes of an accepted connection to `use` where they were read. Otherwise Node allocates a buffer for each
 * read and adds it to the queue of a stream, which costs a tenth of a read by id. Bytes that were read before, and the
 * end of the input, are in the stream. Has no effect in a Node that lacks these properties of sockets.
 */
export function readInPlace(socket: Socket, use: UseBytes): void {
  const target = socket as unknown as Record<symbol, unknown> & { readonly _handle?: Handle | null }
  if (keys === undefined || typeof target._handle?.useUserBuffer !== 'function') return
  target[keys.buffer] = buffer
  target[keys.callback] = (length: number) =>
    use(buffer, length) || socket.push(Buffer.from(buffer.subarray(0, length)))
  target._handle.useUserBuffer(buffer)
}

interface Handle {
  readonly useUserBuffer?: (bytes: Buffer) => void
}

/** The properties in which a socket has its option `onread`, which Node offers to clients only. */
const keys = findKeys()

function findKeys(): { readonly buffer: symbol; readonly callback: symbol } | undefined {
  const onread = { buffer, callback: () => true }
  const socket = new Socket({ onread })
  const keyOf = (value: unknown) => Object.getOwnPropertySymbols(socket).find(key => Reflect.get(socket, key) === value)
  const [found, callback] = [keyOf(onread.buffer), keyOf(onread.callback)]
  socket.destroy()
  return found && callback && { buffer: found, callback }
}
