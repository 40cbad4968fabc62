import type { Upkeep } from '../../domain/stores.ts'
import type { PostgresPool } from './pool.ts'

/** Tables that contain texts of users, or their external keys. */
const tables = ['reviews', 'hidden_reviews', 'review_places', 'record_ids', 'locations', 'review_scans']

/**
 * Creates the upkeep of the database. Deleted rows are removed from its tables by VACUUM; PostgreSQL overwrites its log
 * over time, and the operator removes older copies of the database.
 */
export const createPostgresUpkeep = (pool: PostgresPool): Upkeep => ({
  // Schema upgrades of PostgreSQL are transactions, which need no copy.
  removeUpgradeCopies: async () => [],
  pendingCleanups: async () => [],
  cleanUp: async erased => {
    if (erased !== undefined) for (const table of tables) await pool.exec(`VACUUM ${table}`)
    return []
  },
})
