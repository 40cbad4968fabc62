import type { Config } from '../config/load.ts'
import type { SnapshotWithdrawal } from '../domain/feed-withdrawal.ts'
import type { Engine } from '../domain/stores.ts'
import { withdrawStoredSnapshot } from '../feeds/withdraw.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { openLayout } from '../store/folder/layout.ts'
import { recordFeedEvents } from './feed-events.ts'
import { tryLock } from './feed-folder.ts'
import { openFeedWorkspace } from './shared-feeds.ts'

/** Composes the withdrawal of snapshots of the data folder of an open engine. */
export const composeFeedWithdrawal = (
  engine: Engine,
  config: Config,
  clock: Clock = systemClock,
): SnapshotWithdrawal => ({
  withdraw: async (edition, snapshotId, record) => {
    const lock = await tryLock(engine.locks)
    if (!lock) return 'busy'
    try {
      const workspace = await openFeedWorkspace(config, openLayout(engine.descriptor.folder), engine)
      const outcome = withdrawStoredSnapshot(workspace.root, edition, snapshotId, clock.nowMs())
      if (outcome !== 'withdrawn') return outcome
      await workspace.commit()
      await engine.audit.append(record)
      await recordFeedEvents(engine, workspace.root, clock.nowMs())
      return outcome
    } finally {
      await lock.release()
    }
  },
})
