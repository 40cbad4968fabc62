import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import type { Logger } from '../kit/log.ts'
import type { Layout } from '../store/folder/layout.ts'
import { IndexSharing, type IndexSharingEvent } from './index-sharing.ts'

/** Settings of the search index. */
export type IndexConfig = Pick<Config, 'blobs' | 'search'>

/** Dependencies of sharing the index. */
export interface SharingOptions {
  readonly log: Logger
  readonly onFailure?: () => void
  readonly graceMs?: number
}

/** Starts to share the search index with the nodes of a database; undefined without a database or blobs. */
export function openIndexSharing(
  { blobs, search: { partPlaces } }: IndexConfig,
  { index: path }: Layout,
  { descriptor, changes, locks, indexes }: Engine,
  { log, onFailure = () => {}, ...options }: SharingOptions,
): IndexSharing | undefined {
  if (!indexes || blobs === undefined) return undefined
  return new IndexSharing({
    ...{ indexes, changes, locks, engine: descriptor, blobs, path, partPlaces, ...options },
    onEvent: event => logSharing(log, event),
    onError: error => {
      log.warn({ err: error }, 'Could not share the search index with other nodes; will retry.')
      onFailure()
    },
  })
}

function logSharing(log: Logger, event: IndexSharingEvent): void {
  if (event.kind === 'waiting')
    log.info('No search index yet: it is downloaded when the worker of the database has built it.')
  else if (event.kind === 'abandoned') log.info('No process builds the search index of this release; this one does.')
  else if (event.kind === 'building') log.info('Building the search index for all nodes.')
  else if (event.kind === 'published')
    log.info({ revision: event.revision }, 'Published the search index for all nodes.')
  else
    log.warn(
      { key: event.key },
      'The blobs do not have a file of the search index as it was published. The index is withdrawn and published again.',
    )
}
