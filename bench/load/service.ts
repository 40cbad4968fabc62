import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
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

// Packed bodies hold the address of the service. Imports must make them for it: otherwise the service packs all places
// again while it is measured.
const port = await findFreePort()
process.env.PERIPLUS_SERVER_PUBLIC_URL = `http://127.0.0.1:${port}`

/** Serves a data folder at the address for which imports of this process have packed its bodies. */
export const startService = (folder: string): Promise<Server> =>
  startServer([...periplus, 'serve', '--data', folder, '--port', String(port)], { quietLog: true })
