import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/load.ts'
import { getServiceUrl } from './service-url.ts'

/** A composed service, which is ready to listen. */
export interface Service {
  /** Starts to listen, on the inherited socket if one is passed, and returns the public URL. */
  listen(inherited?: { readonly fd: number }): Promise<string>
  /** URL of the admin port once it listens; undefined if the configuration has no admin port. */
  readonly adminUrl: string | undefined
  /** Stops accepting connections, completes open requests, and closes everything. */
  drain(): Promise<void>
}

/** Starts to listen and returns the public URL: the configured one, or the URL of the socket. */
export async function listenForPartners(
  app: FastifyInstance,
  settings: Config['server'],
  inherited: { readonly fd: number } | undefined,
): Promise<string> {
  const server: Server = app.server
  await app.ready()
  server.listen(inherited ?? { host: settings.host, port: settings.port })
  await once(server, 'listening')
  return getServiceUrl(settings, server.address() as AddressInfo)
}
