import type { AutocompleteIndex } from '../domain/autocomplete.ts'
import { fault } from '../domain/fault.ts'
import type { GeoIndex } from '../domain/geo-contents.ts'
import type { CandidateIndex } from '../domain/match.ts'
import type { PlaceIndex } from '../domain/search.ts'
import type { Engine } from '../domain/stores.ts'
import type { ServedIndex } from '../http/partner/operations/search.ts'
import { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { IndexSources } from '../search/keep/index-sources.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { IndexSharing } from './index-sharing.ts'
import { buildIndexInThread, loadIndexInThread } from './index-thread.ts'
import type { IndexConfig } from './open-index-sharing.ts'

type KeeperOptions = Pick<IndexSources, 'clock' | 'threads' | 'queue' | 'onView' | 'onError'>

/**
 * Starts the keeper that loads the search index of a data folder and keeps it up to date. An index that nodes share is
 * built where `sharing` decides.
 */
export function startIndexKeeper(
  { search: { partPlaces } }: IndexConfig,
  { index: path }: Layout,
  { descriptor, changes, locations }: Engine,
  { sharing, ...options }: KeeperOptions & { readonly sharing: IndexSharing | undefined },
): IndexKeeper {
  const task = { engine: descriptor, index: path, partPlaces }
  return new IndexKeeper({
    ...options,
    file: path,
    isBuiltElsewhere: sharing !== undefined,
    load: async (signal, held) => {
      const loaded = await loadIndexInThread(path, signal, held)
      if (loaded.outcome === 'damaged') sharing?.removeDamaged()
      return loaded
    },
    build: async (signal, held) => {
      if (!sharing) return buildIndexInThread(task, signal, held)
      sharing.request()
      return undefined
    },
    lastSeq: () => changes.lastSeq(),
    changesAfter: (seq, limit) => changes.after(seq, limit),
    entry: id => locations.get(id),
  })
}

/** Creates the index interface for requests. Searches are refused until the index is ready (ARCHITECTURE.md). */
export const createServedIndex = (
  index: PlaceIndex & CandidateIndex & AutocompleteIndex & GeoIndex & { readonly ready: boolean },
): ServedIndex => ({
  search: (query, caller) => index.search(query, caller),
  nearby: (query, caller) => index.nearby(query, caller),
  candidates: (query, caller) => index.candidates(query, caller),
  wordsOf: text => index.wordsOf(text),
  findByKeys: (query, caller) => index.findByKeys(query, caller),
  autocomplete: (query, caller) => index.autocomplete(query, caller),
  countCategories: (query, caller) => index.countCategories(query, caller),
  readGeo: (query, caller) => index.readGeo(query, caller),
  suggestCategories: (id, scope) => index.suggestCategories(id, scope),
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

/** The index of a running service, and what shares it with other nodes, if something does. */
interface KeptIndex {
  readonly index: IndexKeeper
  readonly sharing: IndexSharing | undefined
}

/** Returns messages for operators while the index is missing or could not be updated. */
export function getIndexNotes({ index, sharing }: KeptIndex): string[] {
  const times = index.failures === 1 ? 'once' : `${index.failures} times in a row`
  const state = !sharing || sharing.isBuilding ? 'is being built' : 'is not here yet: the worker builds it'
  return [
    ...(index.ready ? [] : [`The search index ${state}; searches return 503 until it is ready.`]),
    ...(index.failures > 0
      ? [`The search index could not be updated ${times}. The service retries; see the log for the reason.`]
      : []),
  ]
}
