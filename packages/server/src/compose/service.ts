import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/load.ts'
import type { NewerSchema } from '../domain/store-errors.ts'
import { EarlyListener, probeAlone } from './early-listener.ts'
import { getServiceUrl } from './service-url.ts'

/** A socket that listens before the service does: inherited from a supervisor, or opened early by this process. */
export type ListeningSource = { readonly fd: number } | EarlyListener

/** A composed service, which is ready to listen. */
export interface Service {
  /** Starts to listen, on a socket that already listens if one is passed, and returns the public URL. */
  listen(source?: ListeningSource): Promise<string>
  /** URL of the socket; the address of the service for programs of the same network. The service must listen. */
  readonly listeningUrl: string
  /** URL of the admin port once it listens; undefined if the configuration has no admin port. */
  readonly adminUrl: string | undefined
  /** Public URL of the management server once it is available; undefined if it is disabled. */
  readonly managementUrl: string | undefined
  /**
   * Creates the link with which the first owner signs in; undefined while there is an owner or no management server.
   */
  createFirstOwnerLink(): Promise<string | undefined>
  /**
   * Resolves when the service must end: because the contents of its stores are being moved or another process has taken
   * its place, or with the error if the database refuses this release.
   */
  readonly endRequested: Promise<NewerSchema | undefined>
  /** Stops accepting connections, completes open requests, and closes everything. */
  drain(): Promise<void>
}

/** Errors of systems without SO_REUSEPORT. */
const withoutSharedPorts = new Set(['ENOTSUP', 'ENOPROTOOPT', 'EINVAL'])

/** Returns true if several sockets can listen on one port of a host. Any other error is reported by the service. */
export async function canSharePorts(host: string): Promise<boolean> {
  const probe = createServer().listen({ host, port: 0, reusePort: true })
  try {
    await once(probe, 'listening')
    return true
  } catch (error) {
    return !withoutSharedPorts.has((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    probe.close()
  }
}

/**
 * Starts to listen and returns the public URL: the configured one, or the URL of the socket. With `reusePort`, other
 * sockets of the process can listen on the same port.
 */
export async function listenForPartners(
  app: FastifyInstance,
  settings: Config['server'],
  source: ListeningSource | undefined,
  reusePort: boolean,
): Promise<string> {
  const server: Server = app.server
  await app.ready()
  const isHanded = source instanceof EarlyListener && (await source.handTo(server))
  if (!isHanded) {
    const { host, port } = settings
    const isInherited = source !== undefined && 'fd' in source
    // A socket that shares its port could listen next to another process.
    if (reusePort && !isInherited && port !== 0) await probeAlone({ host, port })
    server.listen(isInherited ? source : { host, port, reusePort })
    await once(server, 'listening')
  }
  return getServiceUrl(settings, server.address() as AddressInfo)
}
