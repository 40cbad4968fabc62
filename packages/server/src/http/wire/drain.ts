import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

export interface DrainTimes {
  /** Time that a connection without a request stays open, because one may be in flight, milliseconds. */
  readonly idleGraceMs: number
  /** Time after which all remaining connections are closed, milliseconds. */
  readonly drainMs: number
}

const checkEveryMs = 50

/** Tracks the open connections of a server; Node itself lists only those that have had a request. */
export function trackOpenSockets(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/**
 * Stops a server without failing a request. Connections without a request stay open for a while, because the client may
 * just have written to them. Once the server no longer listens, every answer has to send `Connection: close`; sent earlier,
 * it would make clients reconnect at that very moment.
 */
export async function drain(server: Server, open: ReadonlySet<Socket>, times: DrainTimes): Promise<void> {
  // The kernel resets connections that wait to be accepted when the socket closes: accept them first, in some turns.
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  const closed = once(server, 'close')
  // The `close` of an HTTP server would end idle connections at once.
  NetServer.prototype.close.call(server)
  const idleUntilMs = performance.now() + times.idleGraceMs
  const closeIdle = () => {
    if (performance.now() < idleUntilMs) return
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  closeIdle()
  const checking = setInterval(closeIdle, checkEveryMs)
  const cutting = setTimeout(() => server.closeAllConnections(), times.drainMs)
  await closed
  clearInterval(checking)
  clearTimeout(cutting)
  // Stops the timer that looks for slow requests.
  server.close()
}
