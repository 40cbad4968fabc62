/** A search thread: runs long queries and builds overlays, over memory that it shares with the serving thread. */
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { NearbyQuery, SearchQuery } from '../../domain/search.ts'
import { serveRequests } from '../../kit/inside-thread.ts'
import type { SearchDocument } from '../index/document.ts'
import { type IndexView, type IndexViewData, openIndexView } from '../index/index-view.ts'
import { buildOverlay } from '../index/overlay.ts'
import { Budget } from '../query/budget.ts'
import { nearbyPlaces } from '../query/nearby-places.ts'
import { searchPlaces } from '../query/search-places.ts'
import { shortlist } from '../recommend/shortlist.ts'

/** A query that takes long, or the build of an overlay. */
export type QueryTask =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'nearby'; readonly query: NearbyQuery }
  | { readonly kind: 'shortlist'; readonly query: RecommendationQuery }
  | {
      readonly kind: 'overlay'
      readonly documents: readonly SearchDocument[]
      readonly revision: number
      readonly nowMs: number
    }

/** A task for a search thread. */
export interface TaskRequest {
  readonly task: QueryTask
  /** The view to run it over; left out when it is the one of the request before. */
  readonly view?: IndexViewData
}

let view: IndexView | undefined

function perform(task: QueryTask): unknown {
  if (view === undefined) throw new Error('The first request of a search thread must bring a view.')
  const unlimited = new Budget(Number.POSITIVE_INFINITY)
  if (task.kind === 'search') return searchPlaces(view, task.query, unlimited)
  if (task.kind === 'nearby') return nearbyPlaces(view, task.query, unlimited)
  if (task.kind === 'shortlist') return shortlist(view, task.query, unlimited)
  return buildOverlay(task.documents, view.parts[0]!.segment, task.revision, task.nowMs)
}

serveRequests<TaskRequest, unknown>(({ task, view: sent }) => {
  if (sent !== undefined) view = openIndexView(sent)
  return perform(task)
})
