import type { AddressInfo } from 'node:net'
import type { Readiness } from '../http/admin/health.ts'
import type { ForwardTarget } from '../http/wire/forward.ts'
import { measureClockOffset } from '../kit/clock.ts'
import type { Log, Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import type { ServingAccount } from './serving-account.ts'
import type { ServingOwner } from './serving-messages.ts'
import type { ServingPacked } from './serving-packed.ts'
import type { ServingSearch } from './serving-search.ts'
import type { ServingThreads, ThreadTask } from './serving-threads.ts'
import type { ServingUsage } from './serving-usage.ts'

/** The parts of a service that other serving threads use. */
export interface OwnedParts {
  readonly others: ServingThreads | undefined
  readonly threads: Threads
  readonly log: Logger
  readonly writeLog: Log['write']
  readonly usage: ServingUsage
  readonly search: ServingSearch
  readonly packed: ServingPacked
  readonly account: ServingAccount
}

/** Facts about a service that its parts do not have before it listens. */
export interface OwnerFacts {
  readonly readiness: Readiness
  readonly management: { readonly target: ForwardTarget | undefined }
  readonly task: Omit<ThreadTask, 'origin' | 'clockOffsetUs'>
  /** The address on which the first thread listens; undefined if its port cannot be shared. */
  readonly address: AddressInfo | string | null | undefined
}

/** Starts the other serving threads of a service that listens, if it has any. */
export async function startOthers(parts: OwnedParts, facts: OwnerFacts): Promise<void> {
  const { others, threads, log, writeLog, usage } = parts
  if (!others) return
  await others.start(
    {
      threads,
      log,
      writeLog,
      refusals: usage.refusals,
      owner: createOwner(parts, facts),
      releaseJournal: endedThread => usage.journal.releaseFor(endedThread),
    },
    { ...facts.task, origin: usage.origin, clockOffsetUs: measureClockOffset() },
    facts.address,
  )
}

/** Creates the methods that other serving threads call. */
function createOwner(
  { usage, search, packed, account }: OwnedParts,
  { readiness, management }: OwnerFacts,
): ServingOwner {
  // Another thread cannot see here whether its client is gone; it drops the result then.
  const callerOf = (subject: string) => ({ subject, isGone: () => false })
  return {
    ...account.reader,
    readiness: async () => ({ reasons: await readiness.reasons(), notes: await readiness.notes() }),
    connectManagement: async () => management.target?.connect() ?? { retrySeconds: 1 },
    runLong: (query, subject) => search.index.runLong(query, callerOf(subject)),
    rank: (task, subject) => search.rank(task, callerOf(subject)),
    removeStale: (ids, revision) => search.index.removeStale(ids, revision),
    startedSince: (keyId, sinceMs) => usage.snapshots.since(keyId, sinceMs),
    startSnapshot: (keyId, snapshot, nowMs) => usage.snapshots.start(keyId, snapshot, nowMs),
    reportDamage: async (version, file, reason) => packed.keepers.get(version)?.reportDamage(file, reason),
  }
}
