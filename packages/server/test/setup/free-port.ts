import { createServer } from 'node:net'

/**
 * Ports below those that Linux (32768), macOS and Windows (49152) assign automatically: a port of the system's choice
 * may become that of any connection before the caller listens on it.
 */
const [first, count] = [10_240, 22_000]
/** Processes of a test run begin at different ports. */
let next = process.pid * 97

/** Returns a port of the loopback interface on which nothing listens; each call of a process returns another one. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries++) {
    const port = first + (next++ % count)
    if (await isFree(port)) return port
  }
  throw new Error('The system has no free port.')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
