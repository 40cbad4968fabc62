import type { FeedName } from '../../domain/feed.ts'
import type { Id } from '../../domain/id.ts'
import { toLongJson } from '../../kit/long-json.ts'

/** Returns the id of a deleted record as feed lines contain it. */
export const tombstoneId = (_feed: FeedName, id: Id) => toLongJson(id)
