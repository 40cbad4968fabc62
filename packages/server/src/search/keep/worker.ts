/** A search thread: runs long queries and builds overlays, over memory that it shares with the serving thread. */
import { placeNames } from '../../gazetteer/place-names.ts'
import { serveRequests } from '../../kit/inside-thread.ts'
import { Budget } from '../index/budget.ts'
import type { SearchDocument } from '../index/document.ts'
import { type IndexView, type IndexViewData, openIndexView } from '../index/index-view.ts'
import { buildOverlay } from '../index/overlay.ts'
import { type IndexQuery, runQuery } from './query.ts'

/**
 * A query that takes long, the collection of the names of countries and regions, or the build of an overlay, whose
 * documents are sent before it in parts.
 */
export type QueryTask =
  | IndexQuery
  | { readonly kind: 'placeNames' }
  | { readonly kind: 'documents'; readonly documents: readonly SearchDocument[]; readonly isFirst: boolean }
  | { readonly kind: 'overlay'; readonly count: number; readonly revision: number; readonly nowMs: number }

/** A task for a search thread. */
export interface TaskRequest {
  readonly task: QueryTask
  /** The view to run it over; left out when it is the one of the request before. */
  readonly view?: IndexViewData
}

let view: IndexView | undefined
let documents: SearchDocument[] = []

function perform(task: QueryTask): unknown {
  if (task.kind === 'placeNames') return placeNames()
  if (view === undefined) throw new Error('The first request of a search thread must bring a view.')
  if (task.kind === 'documents') {
    documents = task.isFirst ? [...task.documents] : [...documents, ...task.documents]
    return undefined
  }
  if (task.kind !== 'overlay') return runQuery(view, task, Budget.unlimited())
  const { count, revision, nowMs } = task
  // The thread may have been restarted since it received some of them.
  if (documents.length !== count) throw new Error(`The overlay has ${documents.length} of ${count} documents.`)
  return buildOverlay(documents, view, revision, nowMs)
}

serveRequests<TaskRequest, unknown>(({ task, view: sent }) => {
  if (sent !== undefined) view = openIndexView(sent)
  return perform(task)
})
