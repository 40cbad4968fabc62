import type { FeedName } from '../../domain/feed.ts'
import type { Id } from '../../domain/id.ts'
import { longJson } from '../../kit/long-json.ts'

/** Tombstones name a record as its lines do: reviews by a string (SPEC §9.5, R-21). */
export const tombstoneId = (feed: FeedName, id: Id) => (feed === 'reviews' ? id.toString() : longJson(id))
