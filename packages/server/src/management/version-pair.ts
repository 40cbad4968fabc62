import type { Version } from '../versions/version.ts'
import type { Difference } from '../web/reference/differences.ts'

/** Presenters of the records of a version. */
export type RecordPresenters = Pick<Version['present'], 'location' | 'catalogLocation' | 'review'>

/** Two versions of the partner API: what differs between them, and how each presents a record. */
export interface VersionPair {
  readonly differences: readonly Difference[]
  readonly before: RecordPresenters
  readonly after: RecordPresenters
}
