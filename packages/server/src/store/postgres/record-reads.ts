import type { RecordReads, Watch, WatchListener } from '../../domain/stores.ts'
import { watchEveryMs, watchValue } from '../watch.ts'
import { createKnownChanges } from './known-changes.ts'
import { createPostgresLocations } from './locations.ts'
import { postgresMigrations } from './migrations/all.ts'
import type { PostgresPool } from './pool.ts'
import { type NamedReplica, type OnReadServer, ReadServers, type ReadServersParts } from './read-servers.ts'
import { ChangeHistory, createLineCheck } from './replica-judge.ts'
import { createPostgresReviews } from './reviews.ts'
import { maxRetryMs, newestChange } from './watch.ts'

/** Interval between checks of the replicas, in milliseconds. */
const checkEveryMs = 1000

/** A replica, with the time by which it is behind in milliseconds; undefined if it does not answer. */
interface CheckedReplica extends NamedReplica {
  readonly lagMs: number | undefined
}

/** Opens the records that requests read, on replicas or the primary. */
export function openRecordReads(parts: ReadServersParts): RecordReads {
  const servers = new ReadServers(parts)
  let replicas: readonly CheckedReplica[] = []
  const watch = (listener: WatchListener, onServer: OnReadServer): Watch => {
    const read = async () => `${servers.generation} ${(await servers.query<{ value: string }>(newestChange))[0]!.value}`
    const followed = watchValue({ everyMs: watchEveryMs, read, maxRetryMs }, listener)
    if (parts.replicas.length === 0) return followed
    const checks = checkReplicas(servers, parts.primary, onServer, found => {
      replicas = found
    })
    return {
      stop: async () => {
        await checks.stop()
        await followed.stop()
      },
    }
  }
  return {
    locations: createPostgresLocations(servers),
    reviews: createPostgresReviews(servers),
    changes: createKnownChanges(servers),
    watch,
    notes: () => replicas.flatMap(({ problem }) => problem ?? []),
    lags: () => replicas.flatMap(({ address, lagMs }) => (lagMs === undefined ? [] : { replica: address, lagMs })),
  }
}

/** Checks the replicas at first and every second. */
function checkReplicas(
  servers: ReadServers,
  primary: PostgresPool,
  onServer: OnReadServer,
  onChecked: (replicas: readonly CheckedReplica[]) => void,
): Watch {
  const history = new ChangeHistory()
  const isKnown = createLineCheck(primary)
  let database: string | undefined
  const check = async () => {
    const sql = 'SELECT id::text AS id, (SELECT coalesce(max(seq), 0) FROM changes) AS seq FROM cluster'
    // Without the primary, the known changes still say which replica is behind.
    const [found] = await primary.query<{ id: string; seq: bigint }>(sql).catch(() => [])
    const nowMs = performance.now()
    if (found) history.add(found.seq, nowMs)
    database = found?.id ?? database
    if (database === undefined) return
    const judge = { database, schema: postgresMigrations.length, seq: history.before(nowMs), isKnown }
    const states = await servers.check(judge, onServer)
    const lagOf = ({ seq }: NamedReplica) => (seq === undefined ? undefined : history.lagMs(seq, nowMs))
    onChecked(states.map(state => ({ ...state, lagMs: lagOf(state) })))
  }
  let running: Promise<void> | undefined
  const start = () => {
    running ??= check().finally(() => {
      running = undefined
    })
  }
  start()
  const timer = setInterval(start, checkEveryMs).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
