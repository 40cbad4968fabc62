import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import type { GetReader } from './get-reader.ts'

/** Time limits of `drain`. */
export interface DrainTimes {
  /** Time for which the server still accepts connections, and idle ones stay open, in milliseconds. */
  readonly idleGraceMs: number
  /** Time after which all remaining connections are closed, in milliseconds. */
  readonly drainMs: number
}

const checkEveryMs = 50
/** Turns of the event loop without a new connection after which none waits. */
const quietTurns = 5
const maxAcceptTurns = 1000

/**
 * Stops a server without failing a request. Every response must send `Connection: close` from now. The server
 * listens as long as `idleGraceMs` allows while connections are open: until it stops, no other process accepts
 * connections. Idle connections stay open in that time, because a request may be in flight.
 */
export async function drain(
  server: Server,
  { connections, reader }: { readonly connections: Connections; readonly reader: GetReader },
  { idleGraceMs, drainMs }: DrainTimes,
): Promise<void> {
  const forceClose = setTimeout(() => {
    server.closeAllConnections()
    reader.closeAll()
  }, drainMs)
  const openedBefore = new Set(connections.sockets())
  const untilMs = performance.now() + idleGraceMs
  while (connections.size > 0 && performance.now() < untilMs) await delay(Math.min(checkEveryMs, idleGraceMs))
  await acceptWaiting(server)
  // From here on, Node's server decides which connections are idle.
  reader.releaseAll()
  const closed = once(server, 'close')
  // The `close` of an HTTP server would end idle connections immediately.
  NetServer.prototype.close.call(server)
  const firstRequestsUntilMs = performance.now() + idleGraceMs
  // Node's idle connections include those that wait for their first request, and those whose response is still being
  // sent.
  const closeIdle = () => {
    const mayBeFirst = performance.now() < firstRequestsUntilMs
    for (const socket of connections.sockets()) {
      if (mayBeFirst && socket.bytesRead === 0 && !openedBefore.has(socket)) return
      const response = connections.latestResponse(socket)
      if (response?.writableEnded && !response.writableFinished) return
    }
    server.closeIdleConnections()
  }
  closeIdle()
  const idleCheck = setInterval(closeIdle, checkEveryMs)
  await closed
  clearInterval(idleCheck)
  clearTimeout(forceClose)
  // Also stop the server's timer that checks for slow requests.
  server.close()
}

/**
 * Accepts the connections that wait in the kernel: closing the socket would reset them. Each turn of the event loop
 * accepts one.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const count = () => accepted++
  server.on('connection', count)
  for (let turn = 0, quiet = 0; turn < maxAcceptTurns && quiet < quietTurns; turn++) {
    const before = accepted
    await new Promise(resolve => setImmediate(resolve))
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}
