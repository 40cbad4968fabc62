import type { AccountUsage, AccountUsageQuery, VersionUse } from '../domain/account.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { type Thread, threadEntry } from '../kit/thread.ts'
import type { Threads } from '../kit/threads.ts'

/** A read on behalf of a key, which takes too long for the serving thread. */
export type KeyQuery = { readonly keyId: string; readonly partnerId: string } & (
  | { readonly read: 'versions' }
  | { readonly read: 'usage'; readonly query: AccountUsageQuery }
)

export type KeyQueryResult = readonly VersionUse[] | AccountUsage | AdminFault

/** Creates the thread that reads usage for requests of keys about themselves; the first request starts it. */
export const createQueriesThread = (threads: Threads, engine: EngineDescriptor): Thread<KeyQuery, KeyQueryResult> =>
  threads.create<KeyQuery, KeyQueryResult>({
    name: 'queries',
    entry: threadEntry('../threads/queries', import.meta.url),
    data: engine,
    running: 'on-request',
  })
