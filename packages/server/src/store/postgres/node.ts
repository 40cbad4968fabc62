import type { KeyObject } from 'node:crypto'
import { StoreError } from '../../domain/store-errors.ts'
import { addNode, dropFiles } from './ledger.ts'
import { migratePostgres } from './migrate.ts'
import { postgresMigrations } from './migrations/all.ts'
import { lockIdentity, requireUnclaimed } from './moved-target.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'
import { performOn } from './sql-database.ts'

/** The folder of the node that this process belongs to. */
export interface NodeFolder {
  readonly root: string
  /** Id of the node, a UUID. */
  readonly node: string
  /** Secret of key digests, and its check value. */
  readonly pepper: KeyObject
  readonly pepperCheck: string
  /** Id of the database that the folder belongs to; undefined before its first use. */
  readonly database: string | undefined
  /** True until the ledger has been informed that the journal was recreated. */
  readonly hasDroppedFiles: boolean
  /** Stores that the folder belongs to a database, and that the ledger has been informed. */
  claim(database: string): void
  /** The process that has registered as the node last; undefined before the first. */
  readonly instance: string | undefined
  /** Stores and returns the next instance, and those before it. */
  nextInstance(): NextInstance
  /** Stores that the next instance has registered. */
  confirmInstance(instance: string): void
}

/** The instance with which a process registers as its node. */
export interface NextInstance {
  readonly instance: string
  /** Instances of the folder that have registered, the last one first. */
  readonly earlier: readonly string[]
}

/**
 * Prepares the database for the first use by this process: runs pending migrations, checks that database and folder
 * belong together, and adds the node. Throws NewerSchema, and StoreError if they do not.
 */
export async function prepareNode(pool: PostgresPool, folder: NodeFolder): Promise<void> {
  await migratePostgres(pool, postgresMigrations)
  const database = await pool.transaction(session => joinDatabase(session, pool.name, folder))
  if (folder.database === undefined || folder.hasDroppedFiles) folder.claim(database)
}

interface ClusterRow {
  readonly id: string
  readonly pepper_check: string
  /** The folder that the contents have moved to; null if they have not. */
  readonly moved_to: string | null
}

async function joinDatabase(session: PostgresSession, name: string, folder: NodeFolder): Promise<string> {
  const { root, node, pepperCheck } = folder
  const read = 'SELECT id::text, pepper_check, moved_to FROM cluster'
  let [found] = await session.query<ClusterRow>(read)
  if (found === undefined && folder.database === undefined) {
    await lockIdentity(session)
    ;[found] = await session.query<ClusterRow>(read)
    if (found === undefined) await requireUnclaimed(session, name)
    await session.run('INSERT INTO cluster (pepper_check) VALUES ($1) ON CONFLICT DO NOTHING', [pepperCheck])
    ;[found] = await session.query<ClusterRow>(read)
  }
  if (found === undefined || (folder.database !== undefined && found.id !== folder.database))
    throw new StoreError(
      `The folder ${root} belongs to another database than ${name}: its journal is counted there. ` +
        'Use that database, or an empty folder.',
    )
  if (found.moved_to !== null)
    throw new StoreError(`${name} has moved to ${found.moved_to}. Use that folder, with the setting store at folder.`)
  if (found.pepper_check !== pepperCheck)
    throw new StoreError(
      `The file pepper in ${root} is not the one of ${name}, so no API key would work. ` +
        'Copy it from a node of this database into an empty folder, and start again.',
    )
  if ((await session.query('SELECT 1 FROM forgotten_nodes WHERE node = $1', [node])).length > 0)
    throw new StoreError(
      `Node ${node} of ${root} has been forgotten: what could be reached of its journal is counted. ` +
        'Use an empty folder, with a copy of the file pepper.',
    )
  await performOn(session, addNode(node))
  if (folder.hasDroppedFiles) await performOn(session, dropFiles(node))
  return found.id
}
