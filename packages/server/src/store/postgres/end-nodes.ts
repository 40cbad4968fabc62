import { setTimeout as delay } from 'node:timers/promises'
import { StoreError } from '../../domain/store-errors.ts'
import { endEveryMs, endWaitMs } from '../migration/end-service.ts'
import type { Held } from '../migration/move.ts'
import { isConnected } from './candidate.ts'
import { createPostgresLocks, holdNamedLock } from './engine-locks.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

/** A node whose process runs, or whose journal is not complete in the ledger and in the blobs. */
interface NodeInTheWay {
  readonly node: string
  readonly name: string | null
  readonly role: string | null
  readonly isConnected: boolean
}

/**
 * Folders that only commands have used are no nodes. What was stored before an answer and is not counted needs
 * the journal of its node, too.
 */
const selectNodes = `
  SELECT u.node::text, coalesce(p.name, n.name) AS name, coalesce(p.role, n.role) AS role,
    p.node IS NOT NULL AS "isConnected"
  FROM usage_position u
  LEFT JOIN cluster_nodes n ON n.node = u.node
  LEFT JOIN LATERAL (SELECT * FROM cluster_processes p WHERE p.node = u.node AND ${isConnected} LIMIT 1) p ON true
  WHERE NOT EXISTS (SELECT 1 FROM forgotten_nodes f WHERE f.node = u.node)
    AND (p.node IS NOT NULL OR EXISTS (SELECT 1 FROM usage_records r WHERE r.node = u.node)
      OR (NOT u.ended AND (n.node IS NOT NULL OR u.position <> '1:0')))
  ORDER BY u.node`

/** Returns the nodes that must end before the ledger is final. */
const findNodesInTheWay = (session: PostgresSession): Promise<NodeInTheWay[]> =>
  session.query<NodeInTheWay>(selectNodes)

/** Returns a sentence that names nodes and says what to do. */
function describeInTheWay(nodes: readonly NodeInTheWay[]): string {
  const nameOf = ({ node, name }: NodeInTheWay) => (name === null ? `node ${node}` : `node ${node} on ${name}`)
  const list = (some: readonly NodeInTheWay[]) => some.map(nameOf).join(', ')
  const running = nodes.filter(({ isConnected: runs }) => runs)
  if (running.length > 0) return `These nodes have not ended: ${list(running)}. Stop them, and run the command again.`
  return (
    `The journal is not complete in the ledger and in the blobs: ${list(nodes)}. Start the service of each with the ` +
    "setting blobs, stop it, and run the command again. If it cannot start, run 'periplus cluster fold' on its folder, or 'periplus cluster forget' if that is lost."
  )
}

/**
 * Asks all processes of a database to end, waits for them, and excludes others until `release`. Throws StoreError with
 * those in the way.
 */
export async function endNodes(pool: PostgresPool): Promise<Held> {
  const all = createPostgresLocks(pool)
  const held: Held[] = []
  const release = async () => {
    for (const one of held.reverse()) await one.release()
  }
  try {
    held.push(await holdNamedLock(pool, 'move', `Another process is moving the contents of ${pool.name}.`))
    await waitForNodes(pool)
    held.push(await all.hold('serve', notEnded))
    held.push(await all.hold('feeds', 'A build of feeds is running. Run the command again after it.'))
    return { release }
  } catch (error) {
    await release()
    throw error
  }
}

const notEnded = 'A service has not ended. Stop it, and run the command again.'

/** Waits until no process serves and all journals are complete. Throws StoreError with the nodes in the way. */
async function waitForNodes(pool: PostgresPool): Promise<void> {
  for (const untilMs = performance.now() + endWaitMs; ; await delay(endEveryMs)) {
    // A service keeps its lock until its journal is complete.
    const isServed = await createPostgresLocks(pool).isHeld('serve')
    const found = await pool.use(findNodesInTheWay)
    if (found.length === 0 && !isServed) return
    const isHopeless = !isServed && found.every(({ isConnected }) => !isConnected)
    if (isHopeless || performance.now() >= untilMs)
      throw new StoreError(found.length === 0 ? notEnded : describeInTheWay(found))
  }
}

/** Throws StoreError if a node is in the way; the session has locked the tables that say so. */
export async function requireEnded(session: PostgresSession): Promise<void> {
  const found = await findNodesInTheWay(session)
  if (found.length > 0) throw new StoreError(describeInTheWay(found))
}
