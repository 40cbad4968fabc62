import { setImmediate } from 'node:timers/promises'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ReviewList } from '../../domain/review-list.ts'
import type { ReviewScans } from '../../domain/review-scans.ts'

/** Result of a scan. */
export interface ScannedAll {
  /** Number of reviews that were read. */
  readonly read: number
  readonly found: number
  /** True if the scan ended because it had found the maximum number. */
  readonly isCut: boolean
}

/** The scan to run, and what observes it. */
export interface ScanRun {
  readonly scan: string
  /** Called after each step. */
  readonly onRead: (read: number, total: number) => void
  readonly signal: AbortSignal
}

/** Number of reviews that are read before other work of the process. */
const stepRows = 2000
/** Maximum number of reviews that a scan finds. */
export const maxFound = 10_000

/** Reads all reviews in the state of a scan, newest first, and adds those that match to its result. */
export async function runReviewScan(
  { reviewList, scans }: { readonly reviewList: ReviewList; readonly scans: ReviewScans },
  _actor: Actor,
  { scan, onRead, signal }: ScanRun,
): Promise<ScannedAll | AdminFault> {
  const removed = adminFault('scan_unknown', ['scan'], { scan })
  const query = (await scans.read(scan))?.query
  if (!query) return removed
  const total = await reviewList.count(query.state)
  let [read, found] = [0, 0]
  let position: Id | undefined
  do {
    signal.throwIfAborted()
    const step = await reviewList.scan({ ...query, after: position, rows: stepRows })
    const ids = step.reviews.slice(0, maxFound - found).map(({ review }) => review.id)
    if (!(await scans.add(scan, ids))) return removed
    read += step.read
    found += ids.length
    position = step.last
    onRead(read, total)
    await setImmediate()
  } while (position !== undefined && found < maxFound)
  return { read, found, isCut: position !== undefined }
}
