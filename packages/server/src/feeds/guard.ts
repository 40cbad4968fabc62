import { maxDeletedShare, type WithheldBuild } from '../domain/feed-build.ts'
import { type PastSnapshot, readOrigin } from './history.ts'

/** Deletions that are always published, so that a small set can lose records. */
const freeDeletions = 20

/** Returns the number of records that a build may delete from a set. */
export const computeMaxDeletions = (records: number): number =>
  Math.max(freeDeletions, Math.floor(records * maxDeletedShare))

/** The change that a build would publish after the previous snapshot. */
export interface PlannedResult {
  /** Records of the previous snapshot that the result does not have. Erased records do not count. */
  readonly deletions: number
  /** Id of the data store that was read. */
  readonly storeId: string
}

/**
 * Decides whether a build is withheld until the operator confirms it. Returns the reason; undefined if it may be
 * published.
 */
export function findReasonToWithhold(
  previous: PastSnapshot,
  { deletions, storeId }: PlannedResult,
): WithheldBuild['reason'] | undefined {
  const previousStore = readOrigin(previous)?.storeId
  if (previousStore !== undefined && previousStore !== storeId) return 'other_store'
  return deletions > computeMaxDeletions(previous.manifest.records_of_result) ? 'deletions' : undefined
}
