import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { LiveState } from '../domain/live-state.ts'
import { createLog } from '../kit/log.ts'
import { createManagementServer } from '../management/server.ts'
import { isOutage, openEngine } from '../store/engine.ts'
import { composeManagementContext } from './management-context.ts'
import type { ListenError, ManagementEvent, ManagementListening, ManagementTask } from './management-thread.ts'
import { listeningUrl } from './service-url.ts'

/** Opens the management server in its thread, and listens. */
export async function openManagement(
  { engine: descriptor, config, sources, isDemo, listening, serviceUrl }: ManagementTask,
  live: LiveState,
  emit: (event: ManagementEvent) => void,
): Promise<{ close(): Promise<void> }> {
  const { log, recent, flush } = createLog(config.server.logLevel, isOutage)
  const engine = openEngine(descriptor, { create: false, onReplaced: replaced => emit({ replaced }) })
  const address = { publicUrl: config.management.publicUrl ?? serviceUrl }
  const isForwarded = 'socket' in listening
  const context = composeManagementContext(
    engine,
    { config, sources },
    { address, serviceUrl, live, log, recent, isDemo, hasOwnPort: !isForwarded },
  )
  const basePath = config.server.basePath.replace(/\/+$/, '')
  const { trustedProxies } = config.server
  const app = createManagementServer(context, { basePath, isForwarded, trustedProxies })
  try {
    await listen(app, listening)
    if (!isForwarded && config.management.publicUrl === undefined)
      address.publicUrl = listeningUrl(app.server.address() as AddressInfo) + basePath
    emit({ listening: { publicUrl: address.publicUrl } })
  } catch (error) {
    emit({ listenError: toListenError(error as NodeJS.ErrnoException, listening) })
  }
  return {
    close: async () => {
      await app.close()
      await engine.close()
      flush()
    },
  }
}

async function listen(app: FastifyInstance, listening: ManagementListening): Promise<void> {
  // A thread that ended unexpectedly leaves its socket.
  if ('socket' in listening) rmSync(listening.socket, { force: true })
  await app.listen('socket' in listening ? { path: listening.socket } : listening)
}

const toListenError = (
  { code, message, port }: NodeJS.ErrnoException & { readonly port?: number },
  listening: ManagementListening,
): ListenError => ({
  code,
  message,
  address: 'host' in listening ? listening.host : listening.socket,
  port: port ?? ('port' in listening ? listening.port : 0),
})
