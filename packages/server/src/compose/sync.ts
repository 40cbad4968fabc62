import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import { isDatabase } from '../config/sync-errors.ts'
import { SyncFailed, type SyncSource } from '../domain/sync.ts'
import { createPostgresSource } from '../ingest/postgres/source.ts'
import { createFeedSource } from './feed-sync.ts'

/** The settings of a sync. */
export type SyncSettings = Config['sync'][number]

/** Creates the source of a sync. `secret` is used without a file. */
export function createSyncSource(
  { data }: Pick<Config, 'data'>,
  settings: SyncSettings,
  { secret, say }: { readonly secret: string | undefined; readonly say: (text: string) => void },
): SyncSource {
  const { name, from, query = '', cursor = '', kind, overlap, timeoutSeconds } = settings
  const read = () => readSecret(settings) ?? secret
  if (!isDatabase(settings)) return createFeedSource({ url: from, readKey: read, into: join(data, 'sync', name), say })
  return createPostgresSource({
    url: from,
    readPassword: read,
    statementMs: timeoutSeconds * 1000,
    query,
    cursor,
    kind: kind && (kind === 'locations' ? 'location' : 'review'),
    overlap,
  })
}

function readSecret({ secretFile: file }: SyncSettings): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SyncFailed(`The file ${file} of secretFile cannot be read (${code}).`)
  }
}
