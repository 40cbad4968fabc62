import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/load.ts'
import { listeningUrl } from './listening-url.ts'

/** A service that is ready to listen. */
export interface Running {
  /** Listens, on an inherited socket if there is one; returns the address for partners. */
  listen(inherited?: { readonly fd: number }): Promise<string>
  /** The address of the admin port once it listens; undefined when the configuration has no admin port. */
  readonly adminUrl: string | undefined
  /** Accepts no more connections, completes open requests, and closes everything. */
  drain(): Promise<void>
}

/** Listens and returns the address for partners: the configured one, or that of the socket. */
export async function listenForPartners(
  app: FastifyInstance,
  { host, port, basePath, publicUrl }: Config['server'],
  inherited: { readonly fd: number } | undefined,
): Promise<string> {
  const server: Server = app.server
  await app.ready()
  server.listen(inherited ?? { host, port })
  await once(server, 'listening')
  return (publicUrl ?? listeningUrl(server.address() as AddressInfo) + basePath).replace(/\/+$/, '')
}
