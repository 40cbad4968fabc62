import type { FeedName } from '../../domain/feed.ts'
import type { Id } from '../../domain/id.ts'
import { longJson } from '../../kit/long-json.ts'

/** Tombstones name a record as its lines do. */
export const tombstoneId = (_feed: FeedName, id: Id) => longJson(id)
