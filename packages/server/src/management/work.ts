import type { EditionSnapshots } from '../domain/feed-build.ts'
import type { SnapshotWithdrawal } from '../domain/feed-withdrawal.ts'
import type { ImportFields } from '../domain/importer.ts'
import type { FeedVersion } from '../domain/lifecycle.ts'
import type { ReviewScans } from '../domain/review-scans.ts'
import type { RejectsReader } from '../usecases/admin/list-rejects.ts'
import type { JobStarting } from '../usecases/admin/start-job.ts'

/** Dependencies of the use cases that start and observe jobs. */
export interface WorkStores extends JobStarting {
  readonly scans: ReviewScans
  readonly fields: ImportFields
  readonly readRejects: RejectsReader
  readonly feedVersions: readonly FeedVersion[]
  /** Lists the snapshots of each edition. */
  editions(): Promise<readonly EditionSnapshots[]>
  readonly withdrawal: SnapshotWithdrawal
  /** Folder for backups; undefined if the setting is missing. */
  readonly backupDir: string | undefined
  /** True if the stores are in a database, which its own tools back up. */
  readonly isDatabase: boolean
  readonly maxUploadBytes: number
}
