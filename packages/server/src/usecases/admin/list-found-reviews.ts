import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ModeratedReview, ReviewList, ScanQuery } from '../../domain/review-list.ts'
import type { ReviewScans } from '../../domain/review-scans.ts'

/** A part of the reviews that a scan has found. */
export interface FoundReviews {
  readonly query: ScanQuery
  /** Number of reviews that were found so far. */
  readonly found: number
  /** In their current state; those that were removed since are left out. */
  readonly reviews: readonly ModeratedReview[]
  /** Value of `after` for the next part; undefined at the end. */
  readonly next?: Id
}

/** Lists the reviews that a scan has found, newest id first. */
export async function listFoundReviews(
  { reviewList, scans }: { readonly reviewList: ReviewList; readonly scans: ReviewScans },
  _actor: Actor,
  { scan, after, limit }: { readonly scan: string; readonly after?: Id | undefined; readonly limit: number },
): Promise<FoundReviews | AdminFault> {
  const result = await scans.read(scan)
  if (!result) return adminFault('scan_unknown', ['scan'], { scan })
  const { query, ids } = result
  const rest = after === undefined ? ids : ids.filter(id => id < after)
  const part = rest.slice(0, limit)
  const reviews = await Promise.all(part.map(id => reviewList.find(id)))
  return {
    query,
    found: ids.length,
    reviews: reviews.filter(one => one !== undefined),
    ...(rest.length > limit && { next: part.at(-1)! }),
  }
}
