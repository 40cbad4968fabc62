/** What a search worker does: queries that take long, and building deltas, over the memory of the serving thread. */
import { parentPort } from 'node:worker_threads'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { NearbyQuery, SearchQuery } from '../../domain/search.ts'
import { buildDelta } from '../index/delta.ts'
import type { SearchDocument } from '../index/document.ts'
import { openSnapshot, type Snapshot, type SnapshotData } from '../index/snapshot.ts'
import { Budget } from '../query/budget.ts'
import { nearbyPlaces } from '../query/nearby-places.ts'
import { searchPlaces } from '../query/search-places.ts'
import { shortlist } from '../recommend/shortlist.ts'

export type Task =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'nearby'; readonly query: NearbyQuery }
  | { readonly kind: 'shortlist'; readonly query: RecommendationQuery }
  | {
      readonly kind: 'delta'
      readonly documents: readonly SearchDocument[]
      readonly revision: number
      readonly nowMs: number
    }

export interface Request {
  readonly number: number
  readonly task: Task
  /** Sent when it is not the one of the request before. */
  readonly snapshot?: SnapshotData
}

export type Reply = { readonly number: number } & ({ readonly answer: unknown } | { readonly error: string })

let snapshot: Snapshot | undefined

async function perform(task: Task): Promise<unknown> {
  if (snapshot === undefined) throw new Error('no snapshot was sent')
  const unlimited = new Budget(Number.POSITIVE_INFINITY)
  if (task.kind === 'search') return searchPlaces(snapshot, task.query, unlimited)
  if (task.kind === 'nearby') return nearbyPlaces(snapshot, task.query, unlimited)
  if (task.kind === 'shortlist') return shortlist(snapshot, task.query, unlimited)
  return buildDelta(task.documents, snapshot.parts[0]!.segment, task.revision, task.nowMs)
}

parentPort?.on('message', async ({ number, task, snapshot: sent }: Request) => {
  if (sent !== undefined) snapshot = openSnapshot(sent)
  let reply: Reply
  try {
    reply = { number, answer: await perform(task) }
  } catch (error) {
    reply = { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(reply)
})
