import type { Socket } from 'node:net'

/** Maximum input that is discarded from one connection, in bytes. */
const maxDiscardedBytes = 16 * 1024 * 1024
/** Interval of the checks, in milliseconds. A connection without input between two checks is closed. */
const checkEveryMs = 500
/** Time after which a connection is closed even if the client still sends, in milliseconds. */
const longestMs = 10_000

const lingering = new WeakSet<Socket>()

/** Returns true if the connection has its last response; all further input is discarded. */
export const isLingering = (socket: Socket): boolean => lingering.has(socket)

/**
 * Closes a connection after its last response while the client may still send. Ends the output, and closes when the
 * client does, when it pauses, or after `maxMs` (RFC 9112 §9.6). Node keeps reading; the input is discarded. A
 * connection that is closed with unread input is reset, and its client may lose the response.
 */
export function closeLingering(socket: Socket, maxMs = longestMs): void {
  if (lingering.has(socket)) return
  lingering.add(socket)
  socket.end()
  const startMs = performance.now()
  const startBytes = socket.bytesRead
  let lastBytes = -1
  const check = setInterval(
    () => {
      const { bytesRead } = socket
      const isDone = bytesRead === lastBytes || bytesRead - startBytes > maxDiscardedBytes
      lastBytes = bytesRead
      if (isDone || performance.now() - startMs >= maxMs) socket.destroy()
    },
    Math.min(checkEveryMs, maxMs),
  ).unref()
  socket.once('close', () => clearInterval(check))
}
