import type { LocationReader, ReviewReader } from '../../../domain/data-stores.ts'
import type { Fault } from '../../../domain/fault.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import type { Recommender } from '../../../domain/recommendation.ts'
import type { PlaceIndex } from '../../../domain/search.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { ZoneAt } from '../../../web/place-words.ts'
import type { Site } from '../../../web/site.ts'
import type { VisitorBuckets } from './visitors.ts'

/**
 * The stores and settings of the public pages about places. They call use cases, so that no visitor needs a key and no
 * call is metered.
 */
export interface PlacePages {
  readonly index: PlaceIndex & {
    /** Returns 503 while the index is built for the first time. */
    notReady(): Fault | undefined
  }
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly recommender: Recommender
  readonly zoneAt: ZoneAt
  /** Returns a place as the default version of the API does, as JSON. */
  toJson(entry: LocationEntry): string
  /** Returns the name of the default version. */
  version(): string
  readonly clock: Clock
  /** The token buckets of visitors; by default those of the calling thread. */
  readonly visitorBuckets?: VisitorBuckets | undefined
  readonly settings: { readonly site: Site; readonly publicUrl: string }
}
