import type { AccountCalls, AccountReader, AccountUsage, VersionUse } from '../domain/account.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { ExplainedRequest } from '../domain/explanation-terms.ts'
import type { Key } from '../domain/key.ts'
import { StoreFailure } from '../domain/store-errors.ts'
import { FairQueue } from '../kit/fair-queue.ts'
import type { Threads } from '../kit/threads.ts'
import { createQueriesThread, type KeyQuery, type KeyQueryResult, type QueriesTask } from './queries-thread.ts'

/** The reads for requests of keys about themselves. */
export interface ServingAccount {
  readonly reader: AccountReader
  readonly queue: FairQueue
  close(): Promise<void>
}

/** Bounds of the queue of the thread: a key may send ten requests at once, and keys take turns. */
const queueBounds = { running: 2, waiting: 64, waitingPerSubject: 10 }

/** Creates the thread that reads for keys, and its queue. */
export function openAccount(task: QueriesTask, threads: Threads): ServingAccount {
  const queue = new FairQueue(queueBounds)
  const thread = createQueriesThread(threads, task)
  const ask = <R extends KeyQueryResult>(key: Key, query: QueryOf): Promise<R> =>
    queue.run({ subject: key.id, isGone: () => false }, async () => {
      const result = await thread.request({ ...query, keyId: key.id, partnerId: key.partnerId })
      if ('failed' in result) throw new StoreFailure(result.failed.kind, result.failed.file)
      return result as R
    })
  return {
    reader: {
      versions: key => ask<readonly VersionUse[]>(key, { read: 'versions' }),
      requests: (key, query) => ask<AccountCalls | AdminFault>(key, { read: 'requests', query }),
      request: (key, id) => ask<ExplainedRequest | AdminFault>(key, { read: 'request', id }),
      usage: (key, query) => ask<AccountUsage | AdminFault>(key, { read: 'usage', query }),
    },
    queue,
    close: () => thread.stop(),
  }
}

type WithoutKey<Q> = Q extends unknown ? Omit<Q, 'keyId' | 'partnerId'> : never
type QueryOf = WithoutKey<KeyQuery>
