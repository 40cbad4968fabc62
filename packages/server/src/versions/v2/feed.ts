import type { FeedName } from '../../domain/feed.ts'
import type { Id } from '../../domain/id.ts'
import { longJson } from '../../kit/long-json.ts'

/** Returns the id of a deleted record as feed lines contain it. */
export const tombstoneId = (_feed: FeedName, id: Id) => longJson(id)
