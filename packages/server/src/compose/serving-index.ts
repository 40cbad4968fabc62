import { fault } from '../domain/fault.ts'
import type { ServedIndex } from '../http/partner/operations/search.ts'
import type { Clock } from '../kit/clock.ts'
import { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { Layout } from '../store/folder/layout.ts'
import { sqliteChangeLog } from '../store/sqlite/change-log.ts'
import { sqliteLocations } from '../store/sqlite/locations.ts'
import type { Sqlite } from '../store/sqlite/open.ts'
import { buildIndexInThread, loadIndexInThread } from './index-thread.ts'

export function keepIndex(layout: Layout, data: Sqlite, clock: Clock, onError: (error: unknown) => void): IndexKeeper {
  const changes = sqliteChangeLog(data)
  const locations = sqliteLocations(data)
  return new IndexKeeper({
    file: layout.index,
    load: () => loadIndexInThread(layout.index),
    build: () => buildIndexInThread(layout.data, layout.index),
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
