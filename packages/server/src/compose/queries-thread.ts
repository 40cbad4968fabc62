import type { Config } from '../config/load.ts'
import type { AccountCallQuery, AccountCalls, AccountUsage, AccountUsageQuery, VersionUse } from '../domain/account.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { ExplainedRequest } from '../domain/explanation-terms.ts'
import type { StoreFailure } from '../domain/store-errors.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'

/** A read on behalf of a key, which takes too long for the serving thread. */
export type KeyQuery = { readonly keyId: string; readonly partnerId: string } & (
  | { readonly read: 'versions' }
  | { readonly read: 'usage'; readonly query: AccountUsageQuery }
  | { readonly read: 'requests'; readonly query: AccountCallQuery }
  | { readonly read: 'request'; readonly id: string }
)

export type KeyQueryResult = readonly VersionUse[] | AccountUsage | AccountCalls | ExplainedRequest | AdminFault

/** A failure of a store, which keeps its kind between threads. */
export interface FailedQuery {
  readonly failed: Pick<StoreFailure, 'kind' | 'file'>
}

/** Data of the queries thread. */
export interface QueriesTask {
  readonly engine: EngineDescriptor
  readonly config: Config
}

/** Creates the thread that reads usage and calls for requests of keys about themselves; the first request starts it. */
export const createQueriesThread = (
  threads: Threads,
  task: QueriesTask,
): Thread<KeyQuery, KeyQueryResult | FailedQuery> =>
  threads.create<KeyQuery, KeyQueryResult | FailedQuery>({
    name: 'queries',
    entry: threadEntry('../threads/queries', import.meta.url),
    data: task,
    running: 'on-request',
  })
