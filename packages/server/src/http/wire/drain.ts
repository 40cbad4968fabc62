import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Connections } from './connections.ts'

/** Time limits of `drain`. */
export interface DrainTimes {
  /** Time that idle connections stay open, because a request may be in flight, in milliseconds. */
  readonly idleGraceMs: number
  /** Time after which all remaining connections are closed, in milliseconds. */
  readonly drainMs: number
}

const checkEveryMs = 50

/**
 * Stops a server without failing a request. Idle connections stay open for `idleGraceMs`, because a request may be in
 * flight. Responses must send `Connection: close` only after the server has stopped listening; sent earlier, it would make
 * clients reconnect to the closing server.
 */
export async function drain(
  server: Server,
  connections: Pick<Connections, 'sockets'>,
  times: DrainTimes,
): Promise<void> {
  // Closing the socket resets connections that wait to be accepted. Run some turns of the event loop to accept them first.
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  const closed = once(server, 'close')
  // The `close` of an HTTP server would end idle connections immediately.
  NetServer.prototype.close.call(server)
  const idleUntilMs = performance.now() + times.idleGraceMs
  const closeIdle = () => {
    if (performance.now() < idleUntilMs) return
    server.closeIdleConnections()
    for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy()
  }
  closeIdle()
  const idleCheck = setInterval(closeIdle, checkEveryMs)
  const forceClose = setTimeout(() => server.closeAllConnections(), times.drainMs)
  await closed
  clearInterval(idleCheck)
  clearTimeout(forceClose)
  // Also stop the server's timer that checks for slow requests.
  server.close()
}
