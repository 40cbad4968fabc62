import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/load.ts'
import { EarlyListener } from './early-listener.ts'
import { getServiceUrl } from './service-url.ts'

/** A socket that listens before the service does: inherited from a supervisor, or opened early by this process. */
export type ListeningSource = { readonly fd: number } | EarlyListener

/** A composed service, which is ready to listen. */
export interface Service {
  /** Starts to listen, on a socket that already listens if one is passed, and returns the public URL. */
  listen(source?: ListeningSource): Promise<string>
  /** URL of the admin port once it listens; undefined if the configuration has no admin port. */
  readonly adminUrl: string | undefined
  /** Public URL of the management server once it is available; undefined if it is disabled. */
  readonly managementUrl: string | undefined
  /**
   * Creates the link with which the first owner signs in; undefined while there is an owner or no management server.
   */
  createFirstOwnerLink(): Promise<string | undefined>
  /** Stops accepting connections, completes open requests, and closes everything. */
  drain(): Promise<void>
}

/** Starts to listen and returns the public URL: the configured one, or the URL of the socket. */
export async function listenForPartners(
  app: FastifyInstance,
  settings: Config['server'],
  source: ListeningSource | undefined,
): Promise<string> {
  const server: Server = app.server
  await app.ready()
  const isHanded = source instanceof EarlyListener && (await source.handTo(server))
  if (!isHanded) {
    const { host, port, threads } = settings
    server.listen(source && 'fd' in source ? source : { host, port, reusePort: threads > 1 })
    await once(server, 'listening')
  }
  return getServiceUrl(settings, server.address() as AddressInfo)
}
