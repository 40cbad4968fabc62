import type { FeedName } from '../../domain/feed.ts'
import type { Id } from '../../domain/id.ts'
import { toLongJson } from '../../kit/long-json.ts'

/**
 * Returns the id of a deleted record as feed lines of v0 contain it: a string for reviews, a number otherwise (SPEC
 * §9.5, R-21).
 */
export const tombstoneId = (feed: FeedName, id: Id) => (feed === 'reviews' ? id.toString() : toLongJson(id))
