/** What a search worker does: queries that take long, and building overlays, over the memory of the serving thread. */
import { parentPort } from 'node:worker_threads'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { NearbyQuery, SearchQuery } from '../../domain/search.ts'
import type { SearchDocument } from '../index/document.ts'
import { type IndexView, type IndexViewData, openIndexView } from '../index/index-view.ts'
import { buildOverlay } from '../index/overlay.ts'
import { Budget } from '../query/budget.ts'
import { nearbyPlaces } from '../query/nearby-places.ts'
import { searchPlaces } from '../query/search-places.ts'
import { shortlist } from '../recommend/shortlist.ts'

export type Task =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'nearby'; readonly query: NearbyQuery }
  | { readonly kind: 'shortlist'; readonly query: RecommendationQuery }
  | {
      readonly kind: 'overlay'
      readonly documents: readonly SearchDocument[]
      readonly revision: number
      readonly nowMs: number
    }

export interface Request {
  readonly number: number
  readonly task: Task
  /** Sent when it is not the one of the request before. */
  readonly view?: IndexViewData
}

export type Reply = { readonly number: number } & ({ readonly answer: unknown } | { readonly error: string })

let view: IndexView | undefined

async function perform(task: Task): Promise<unknown> {
  if (view === undefined) throw new Error('no view was sent')
  const unlimited = new Budget(Number.POSITIVE_INFINITY)
  if (task.kind === 'search') return searchPlaces(view, task.query, unlimited)
  if (task.kind === 'nearby') return nearbyPlaces(view, task.query, unlimited)
  if (task.kind === 'shortlist') return shortlist(view, task.query, unlimited)
  return buildOverlay(task.documents, view.parts[0]!.segment, task.revision, task.nowMs)
}

parentPort?.on('message', async ({ number, task, view: sent }: Request) => {
  if (sent !== undefined) view = openIndexView(sent)
  let reply: Reply
  try {
    reply = { number, answer: await perform(task) }
  } catch (error) {
    reply = { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(reply)
})
