import type { ChangeRecord } from './change-record.ts'
import type { Edition } from './feed.ts'

/** Withdraws snapshots of feeds. */
export interface SnapshotWithdrawal {
  /** Withdraws a snapshot. `busy`: feeds are being built. `gone`: the snapshot has ended before. */
  withdraw(
    edition: Edition,
    snapshotId: string,
    record: ChangeRecord,
  ): Promise<'withdrawn' | 'unknown' | 'gone' | 'busy'>
}
