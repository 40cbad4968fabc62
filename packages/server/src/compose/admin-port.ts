import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/load.ts'
import { type AdminParts, createAdminServer } from '../http/admin/admin-server.ts'
import type { Metrics } from '../kit/metrics.ts'
import { listeningUrl } from './service-url.ts'

/** The admin port. Without `server.adminPort` in the configuration, its methods do nothing. */
export interface AdminPort {
  /** Starts listening and returns the URL; undefined if no port is configured. */
  listen(): Promise<string | undefined>
  /** Closes the port and its connections. */
  close(): Promise<void>
}

/** Creates the admin port. `metrics` is called only if a port is configured. */
export function createAdminPort(
  { adminHost, adminPort }: Config['server'],
  { metrics, ...parts }: Omit<AdminParts, 'metrics'> & { readonly metrics: () => Promise<Metrics> },
): AdminPort {
  let app: FastifyInstance | undefined
  return {
    listen: async () => {
      if (adminPort === undefined) return undefined
      app = createAdminServer({ metrics: await metrics(), ...parts })
      await app.listen({ host: adminHost, port: adminPort })
      return listeningUrl(app.server.address() as AddressInfo)
    },
    close: async () => app?.close(),
  }
}
