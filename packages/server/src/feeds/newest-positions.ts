import type { StorePosition } from '../domain/feed-stores.ts'
import { readHistory, readOrigin } from './history.ts'
import { listEditions } from './list-editions.ts'

/**
 * Returns the store positions from which the next deltas are built: the position of the newest snapshot of each
 * edition, if it was built at or after `sinceMs`.
 */
export function readNewestPositions(root: string, sinceMs: number): StorePosition[] {
  return listEditions(root).flatMap(edition => {
    const { newest } = readHistory(root, edition)
    if (!newest || Date.parse(newest.manifest.created_at) < sinceMs) return []
    return readOrigin(newest)?.moment ?? []
  })
}
