import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/load.ts'
import { createAdminServer } from '../http/admin/admin-server.ts'
import type { Readiness } from '../http/admin/health.ts'
import type { Metrics } from '../kit/metrics.ts'
import { listeningUrl } from './listening-url.ts'

/** The operator's port, where the config names one. */
export interface AdminPort {
  /** Listens; gives its address. */
  listen(): Promise<string | undefined>
  close(): void
}

/** `metrics` are composed only where somebody can look at them. */
export function adminPort(
  { adminHost, adminPort }: Config['server'],
  metrics: () => Metrics,
  readiness: Readiness,
): AdminPort {
  if (adminPort === undefined) return { listen: async () => undefined, close: () => {} }
  const server = createAdminServer(metrics(), readiness)
  return {
    listen: async () => {
      server.listen({ host: adminHost, port: adminPort })
      await once(server, 'listening')
      return listeningUrl(server.address() as AddressInfo)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
