import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../config/load.ts'
import type { Layout } from '../store/folder/layout.ts'
import { getServiceUrl } from './service-url.ts'

/**
 * Returns the address at which partners reach the service, for files that are made while it may not run: the configured
 * one, the last one of the service, or the default. Undefined if the service selects a port when it listens.
 */
export function findPublicUrl({ server }: Config, layout: Layout): string | undefined {
  const lastUrl = existsSync(layout.publicUrl) ? readFileSync(layout.publicUrl, 'utf8').trim() : ''
  if (server.publicUrl === undefined && lastUrl !== '') return lastUrl
  return server.publicUrl === undefined && server.port === 0 ? undefined : getServiceUrl(server)
}
