import type { Operations } from '../call.ts'
import { createFeedOperations, type FeedParts } from './feeds.ts'
import { createLocationOperations, type LocationParts } from './locations.ts'
import { createSearchOperations, type SearchParts } from './search.ts'

export type OperationParts = LocationParts & SearchParts & FeedParts

/** The handler of every operation. */
export const createOperations = (parts: OperationParts): Operations => ({
  ...createLocationOperations(parts),
  ...createSearchOperations(parts),
  ...createFeedOperations(parts),
})
