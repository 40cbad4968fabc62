import type { FeedDownload } from './feed-stores.ts'
import type { Id } from './id.ts'
import type { Key } from './key.ts'
import type { LimitStatus } from './limit-status.ts'
import type { NearbyQuery, SearchQuery } from './search.ts'
import type { ServiceMeasures } from './service-measures.ts'

/** State of the serving process that no store has. Other threads read it by messages. */
export interface LiveState {
  status(): Promise<ServiceStatus>
  measures(): Promise<ServiceMeasures>
  /** Returns the state of a key's limits. */
  limitsOf(key: Key): Promise<LimitStatus>
  /** Ends the penalty of a key's subject. */
  forgive(key: Key): Promise<void>
  /** Returns the feed snapshots that a key has begun to download in the last 90 days, oldest first. */
  downloadsOf(keyId: string): Promise<readonly FeedDownload[]>
  /** Searches all places; undefined while the search is not available. */
  search(query: SearchQuery): Promise<FoundPlaces | undefined>
  /** Finds places in an area; undefined while the search is not available. */
  nearby(query: NearbyQuery): Promise<FoundPlaces | undefined>
}

/** One page of places that the search index has found. */
export interface FoundPlaces {
  readonly ids: readonly Id[]
  readonly total: number
}

/** The state that `/readyz` shows. */
export interface ServiceStatus {
  readonly ready: boolean
  /** Reasons why the service is not ready. */
  readonly reasons: readonly string[]
  /** Messages that do not make the service unready. */
  readonly notes: readonly string[]
}
