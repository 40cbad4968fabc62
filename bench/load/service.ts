import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { periplus } from './folder.ts'
import { type Server, startServer } from './processes.ts'

/** Returns a port of the loopback interface that no process listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

// Packed bodies contain the address of the service. All benchmarks of a data folder have the same one: otherwise the
// service would pack all places again while it is measured.
process.env.PERIPLUS_SERVER_PUBLIC_URL = 'http://127.0.0.1:8080'

/**
 * Serves a data folder, and waits until the search index is loaded. `nodeOptions`: options of Node for its process.
 */
export async function startService(folder: string, nodeOptions: readonly string[] = []): Promise<Server> {
  const [node, ...main] = periplus
  const port = String(await findFreePort())
  const command = [node!, ...nodeOptions, ...main, 'serve', '--data', folder, '--port', port]
  const server = await startServer(command, { quietLog: true })
  while ((await readNotes(server)).length > 0) await sleep(100)
  return server
}

const readNotes = async ({ url }: Server): Promise<readonly string[]> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { notes?: string[] }).notes ?? []
