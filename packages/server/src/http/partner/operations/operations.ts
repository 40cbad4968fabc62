import type { Operations } from '../call.ts'
import { type FeedParts, feedOperations } from './feeds.ts'
import { type LocationParts, locationOperations } from './locations.ts'
import { type SearchParts, searchOperations } from './search.ts'

export type OperationParts = LocationParts & SearchParts & FeedParts

/** The handler of every operation. */
export const operationsOf = (parts: OperationParts): Operations => ({
  ...locationOperations(parts),
  ...searchOperations(parts),
  ...feedOperations(parts),
})
