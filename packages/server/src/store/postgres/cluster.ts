import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, JoiningNode } from '../../domain/cluster.ts'
import { StoreError } from '../../domain/store-errors.ts'
import type { Lock } from '../../domain/stores.ts'
import { openPostgresSessions } from './autocomplete-sessions.ts'
import { endLeasesOf, openPostgresDownloadLeases } from './download-leases.ts'
import { createPostgresMembership } from './membership.ts'
import type { NodeFolder } from './node.ts'
import type { PostgresPool } from './pool.ts'
import { PostgresLimitStates } from './shared-states.ts'

interface ClusterParts {
  /** Opens a pool for statements of requests. */
  readonly openPool: (connections: number) => PostgresPool
  readonly folder: NodeFolder
  readonly joining: JoiningNode
  /** The lock of a node that serves; `close` releases it. */
  readonly lock: Lock
}

/** Connections of membership, of limit states that are in the database, of leases of downloads, and of sessions. */
const connections = { membership: 2, states: 4, leases: 4, sessions: 4 } as const
/** Time within which a node that runs shows a sign of life, in milliseconds. */
export const beatWithinMs = 1500

/**
 * Registers the process as its node among those of the database. Throws StoreError if the node runs already, if its
 * folder was copied or restored, or if the others share limits in another place.
 */
export async function openPostgresCluster({ openPool, folder, joining, lock }: ClusterParts): Promise<Cluster> {
  const { node, root } = folder
  const pool = openPool(connections.membership)
  const close = async () => {
    await pool.close()
    await lock.release()
  }
  try {
    const id = await shareCache(pool, joining.cache)
    if (await isRunning(pool, node))
      throw new StoreError(
        `Node ${node} is running already: the folder ${root} is a copy of its folder. ` +
          'Use an empty folder for another node.',
      )
    const { instance, earlier } = folder.nextInstance()
    const membership = createPostgresMembership(pool, { ...joining, node, instance })
    if (!(await membership.register(earlier)))
      throw new StoreError(
        `The folder ${root} is a copy or an older state of the folder of node ${node}, which has been served since. ` +
          'Use an empty folder for another node.',
      )
    folder.confirmInstance(instance)
    await endLeasesOf(pool, node)
    const openStates = () => new PostgresLimitStates(openPool(connections.states))
    const openDownloadLeases = () => openPostgresDownloadLeases(openPool(connections.leases), node)
    const openSessions = () => openPostgresSessions(openPool(connections.sessions))
    return { id, node, membership, openStates, openDownloadLeases, openSessions, lost: lock.lost, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Checks that all nodes share limits in the same place, which the first one stores. Returns the id of the cluster. */
async function shareCache(pool: PostgresPool, cache: string): Promise<string> {
  await pool.run('UPDATE cluster SET cache = $1 WHERE cache IS NULL', [cache])
  const [row] = await pool.query<{ id: string; cache: string }>('SELECT id::text, cache FROM cluster')
  if (row!.cache !== cache)
    throw new StoreError(
      `The nodes of ${pool.name} share limits in ${row!.cache}, and this node is to use ${cache}. ` +
        "Set limits.shared as on the other nodes, or move all of them with 'periplus cluster cache URL'.",
    )
  return row!.id
}

/** Returns true if a process shows that it is the node. */
async function isRunning(pool: PostgresPool, node: string): Promise<boolean> {
  const read = async () => {
    const live = "SELECT beat FROM cluster_nodes WHERE node = $1 AND mode <> 'left'"
    return (await pool.query<{ beat: bigint }>(live, [node]))[0]?.beat
  }
  const before = await read()
  if (before === undefined) return false
  await delay(beatWithinMs)
  const after = await read()
  return after !== undefined && after !== before
}
