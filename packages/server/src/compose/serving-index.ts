import { fault } from '../domain/fault.ts'
import type { Engine } from '../domain/stores.ts'
import type { ServedIndex } from '../http/partner/operations/search.ts'
import type { Clock } from '../kit/clock.ts'
import { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { Layout } from '../store/folder/layout.ts'
import { buildIndexInThread, loadIndexInThread } from './index-thread.ts'

/** Keeps the search index of a data folder in step with its stores. */
export function keepIndex(
  layout: Layout,
  { descriptor, changes, locations }: Engine,
  clock: Clock,
  onError: (error: unknown) => void,
): IndexKeeper {
  return new IndexKeeper({
    file: layout.index,
    load: () => loadIndexInThread(layout.index),
    build: () => buildIndexInThread(descriptor, layout.index),
    lastSeq: () => changes.lastSeq(),
    changesAfter: (seq, limit) => changes.after(seq, limit),
    entry: id => locations.get(id),
    clock,
    onError,
  })
}

/** Until there is an index, searches are told to come back; reads by id go on (ARCHITECTURE.md). */
export const servedIndex = (index: IndexKeeper): ServedIndex => ({
  search: query => index.search(query),
  nearby: query => index.nearby(query),
  notReady: () =>
    index.ready
      ? undefined
      : fault('index_building', {
          detail: 'Reads by id go on; try the search again soon.',
          headers: { 'Retry-After': '5' },
        }),
})
