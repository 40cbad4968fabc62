import type { StoreFailure } from '../../domain/store-errors.ts'
import type { StoreClient } from '../../domain/stores.ts'
import { type NodeFolder, prepareNode } from './node.ts'
import {
  commandTimeouts,
  managementTimeouts,
  PostgresPool,
  type PostgresPoolOptions,
  type PostgresTimeouts,
  servingTimeouts,
  shortTimeouts,
  workTimeouts,
} from './pool.ts'

interface EnginePoolParts {
  readonly url: string
  readonly waiting: StoreClient
  /** URLs of the replicas. */
  readonly replicas: readonly string[]
  readonly folder: NodeFolder
  readonly onFailure: (failure: StoreFailure) => void
  /** Called with the duration of each statement of a request, in milliseconds. */
  readonly onStatement: (ms: number) => void
}

/** The connections of an engine. */
export interface EnginePools {
  /** Connections of requests. */
  readonly serving: PostgresPool
  /** Connections of imports, feeds and maintenance. */
  readonly work: PostgresPool
  /** Connections of folds and other short statements of background work, whose time is limited. */
  readonly short: PostgresPool
  /** The connection of the watches of changes, so that requests that use all of theirs delay no revocation. */
  readonly watching: PostgresPool
  /** Connections to replicas, in the order in which this node uses them. */
  readonly replicas: readonly PostgresPool[]
  /** Opens other connections with the timeouts of requests; the caller closes them. */
  readonly open: (connections: number) => PostgresPool
  /** Prepares the database with the first call, and again after a failure. Each use of a pool awaits it. */
  readonly prepare: () => Promise<void>
  readonly close: () => Promise<void>
}

const timeoutsOf: Readonly<Record<StoreClient, PostgresTimeouts>> = {
  calls: servingTimeouts,
  management: managementTimeouts,
  commands: commandTimeouts,
}

/** Connections of a thread. */
const connections = { serving: 4, work: 6, short: 4, watching: 1 } as const

// Plans of prepared statements outlive the first import, before which all tables are empty. Requests use indexes even
// then, and an import plans each statement again.
const planners = { serving: { enable_seqscan: 'off' }, work: { plan_cache_mode: 'force_custom_plan' } } as const

/** Opens the connections of an engine. */
export function openEnginePools(parts: EnginePoolParts): EnginePools {
  const { url, waiting, replicas: urls, folder, onFailure, onStatement } = parts
  const open = (count: number, timeouts: PostgresTimeouts, more: Partial<PostgresPoolOptions> = {}) =>
    new PostgresPool({ url, connections: count, timeouts, onFailure, ...more })
  const timeouts = timeoutsOf[waiting]
  const prepare = once(async () => {
    const pool = open(1, workTimeouts)
    await prepareNode(pool, folder).finally(() => pool.close())
  })
  const serving = open(connections.serving, timeouts, { planner: planners.serving, beforeUse: prepare, onStatement })
  const work = open(connections.work, workTimeouts, { planner: planners.work, beforeUse: prepare })
  const short = open(connections.short, shortTimeouts, { planner: planners.work, beforeUse: prepare })
  // Its few users take turns: each waits for the connection as for a new one.
  const watching = open(connections.watching, { ...timeouts, freeMs: 0 }, { beforeUse: prepare })
  const reading = { connections: connections.serving, timeouts, planner: planners.serving, onStatement }
  const replicas = rotate(urls, folder.node).map(replica => new PostgresPool({ url: replica, ...reading }))
  return {
    serving,
    work,
    short,
    watching,
    replicas,
    prepare,
    open: count => open(count, timeouts),
    close: async () => {
      await Promise.all([serving, work, short, watching, ...replicas].map(pool => pool.close()))
    },
  }
}

/** Returns a function that does the work once; a failed attempt is repeated by the next call. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work().catch(error => {
      done = undefined
      throw error
    })
    return done
  }
}

/** Returns the URLs in the order in which a node uses them, so that the nodes spread over the replicas. */
const rotate = (urls: readonly string[], node: string): readonly string[] => {
  const first = urls.length === 0 ? 0 : Number.parseInt(node.slice(0, 8), 16) % urls.length
  return [...urls.slice(first), ...urls.slice(0, first)]
}
