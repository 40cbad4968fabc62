import { allocateSessions } from '../access/sessions.ts'
import { allocateLimits } from '../access/shared-bucket-table.ts'
import { SharedLimits } from '../access/shared-limits.ts'
import { allocateBuckets } from '../access/shared-token-buckets.ts'
import type { Config } from '../config/load.ts'
import { allocateCounts, SharedCounts } from '../kit/held-counts.ts'
import { SharedTable, type SharedTableMemory } from '../kit/shared-table.ts'
import { allocateJournalEnd, type JournalEndMemory } from '../usage/journal-end.ts'
import { getLimitSettings } from './stored-limits.ts'

/** The memory that serving threads share, to be passed to them. */
export interface ServingMemory {
  readonly limits: SharedTableMemory
  readonly sessions: SharedTableMemory
  readonly badKeys: SharedTableMemory
  readonly account: SharedTableMemory
  readonly visitors: SharedTableMemory
  readonly journal: JournalEndMemory
  /** Open connections by address, unread bytes by key, and open downloads by key. */
  readonly connections: SharedTableMemory
  readonly unsent: SharedTableMemory
  readonly downloads: SharedTableMemory
  /** Word: number of changes of keys since the start. */
  readonly keyChanges: SharedArrayBuffer
}

/** The shared memory of a serving thread. */
export interface SharedServing {
  readonly memory: ServingMemory
  /** Number of the calling thread, from 1. */
  readonly thread: number
}

/** Allocates the memory that the serving threads of a configuration share; undefined if one thread serves. */
export function allocateServing({ server: { threads } }: Config): ServingMemory | undefined {
  if (threads === 1) return undefined
  return {
    limits: allocateLimits(),
    sessions: allocateSessions(),
    badKeys: allocateBuckets(),
    account: allocateBuckets(),
    visitors: allocateBuckets(),
    journal: allocateJournalEnd(),
    connections: allocateCounts(threads),
    unsent: allocateCounts(threads),
    downloads: allocateCounts(threads),
    keyChanges: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  }
}

/** Releases what a serving thread held when it ended. */
export function releaseServing(config: Config, { memory, thread }: SharedServing, endedThread: number): void {
  new SharedLimits(getLimitSettings(config), memory.limits, thread).releaseLocks(endedThread)
  const counts = [memory.connections, memory.unsent, memory.downloads]
  for (const table of [...counts, memory.sessions, memory.badKeys, memory.account, memory.visitors])
    new SharedTable(table, thread, () => false).releaseLocks(endedThread)
  for (const table of counts) new SharedCounts(table, thread).releaseFor(endedThread)
}
