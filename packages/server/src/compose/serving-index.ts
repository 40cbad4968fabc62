import type { Config } from '../config/load.ts'
import { fault } from '../domain/fault.ts'
import type { PlaceIndex } from '../domain/search.ts'
import type { Engine } from '../domain/stores.ts'
import type { ServedIndex } from '../http/partner/operations/search.ts'
import { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { IndexSources } from '../search/keep/index-sources.ts'
import type { Layout } from '../store/folder/layout.ts'
import { IndexSharing } from './index-sharing.ts'
import { buildIndexInThread, loadIndexInThread } from './index-thread.ts'

/** The index of a running service, and what shares its file with other nodes. */
export interface KeptIndex {
  readonly index: IndexKeeper
  close(): Promise<void>
}

type KeeperOptions = Pick<IndexSources, 'clock' | 'threads' | 'queue' | 'onView' | 'onError'>

/** Starts the keeper that loads the search index of a data folder and keeps it up to date. */
export function startIndexKeeper(
  { blobs, search: { partPlaces } }: Pick<Config, 'blobs' | 'search'>,
  layout: Layout,
  { descriptor, changes, locations, indexes }: Engine,
  { onSharingError, ...options }: KeeperOptions & { readonly onSharingError: (error: unknown) => void },
): KeptIndex {
  const path = layout.index
  const sharing =
    indexes && blobs !== undefined
      ? new IndexSharing({ indexes, changes, engine: descriptor, blobs, path, partPlaces, onError: onSharingError })
      : undefined
  const task = { engine: descriptor, index: path, partPlaces }
  const index = new IndexKeeper({
    ...options,
    file: path,
    load: (signal, held) => loadIndexInThread(path, signal, held),
    build: (signal, held) => (sharing ? sharing.build(signal, held) : buildIndexInThread(task, signal, held)),
    lastSeq: () => changes.lastSeq(),
    changesAfter: (seq, limit) => changes.after(seq, limit),
    entry: id => locations.get(id),
  })
  return {
    index,
    close: async () => {
      await Promise.all([sharing?.stop(), index.close()])
    },
  }
}

/** Creates the index interface for requests. Searches are refused until the index is ready (ARCHITECTURE.md). */
export const createServedIndex = (index: PlaceIndex & { readonly ready: boolean }): ServedIndex => ({
  search: (query, caller) => index.search(query, caller),
  nearby: (query, caller) => index.nearby(query, caller),
  has: id => index.has(id),
  removeStale: (ids, revision) => index.removeStale(ids, revision),
  notReady: () =>
    index.ready
      ? undefined
      : fault('index_building', {
          detail: 'Reads by id are not affected. Retry the search in a few seconds.',
          headers: { 'Retry-After': '5' },
        }),
})

/** Returns messages for operators while the index is missing or could not be updated. */
export function getIndexNotes(index: IndexKeeper): string[] {
  const times = index.failures === 1 ? 'once' : `${index.failures} times in a row`
  return [
    ...(index.ready ? [] : ['The search index is being built; searches return 503 until it is ready.']),
    ...(index.failures > 0
      ? [`The search index could not be updated ${times}. The service retries; see the log for the reason.`]
      : []),
  ]
}
