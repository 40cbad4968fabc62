import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

export interface DrainTimes {
  /** How long a connection without a request is kept open for one that may be on its way, milliseconds. */
  readonly idleGraceMs: number
  /** When what is left is cut off, milliseconds. */
  readonly drainMs: number
}

const lookEveryMs = 50

/** Connections that are open; remembered because Node names only those that have had a request. */
export function openSockets(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/**
 * Ends a server without failing a request: connections that have none yet are kept for a while, because the client may
 * just have written to them. From when on the server does not listen, every answer has to say `Connection: close`; a client
 * that were told so before would come back on a new connection just then.
 */
export async function drain(server: Server, open: ReadonlySet<Socket>, times: DrainTimes): Promise<void> {
  // What the kernel still holds when the socket is closed would be reset: some turns, so that all of it is accepted.
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  const closed = once(server, 'close')
  // An HTTP server's own `close` ends idle connections at once.
  NetServer.prototype.close.call(server)
  const idleUntilMs = performance.now() + times.idleGraceMs
  const look = () => {
    if (performance.now() < idleUntilMs) return
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  look()
  const looking = setInterval(look, lookEveryMs)
  const cutting = setTimeout(() => server.closeAllConnections(), times.drainMs)
  await closed
  clearInterval(looking)
  clearTimeout(cutting)
  // Its look-out for slow requests.
  server.close()
}
