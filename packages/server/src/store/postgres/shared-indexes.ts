import type { SharedIndex, SharedIndexes, SharedIndexFile } from '../../domain/shared-indexes.ts'
import { LockHeld } from '../../domain/store-errors.ts'
import { holdIndexLock, isIndexLockHeld } from './engine-locks.ts'
import type { PostgresPool } from './pool.ts'

/** Number of indexes of a format that remain: a node may still fetch the one before the newest. */
const kept = 2

interface Row {
  readonly revision: bigint
  readonly files: string
}

const toIndex = ({ revision, files }: Row): SharedIndex => ({
  revision: Number(revision),
  files: JSON.parse(files) as SharedIndexFile[],
})

const readAll = async (database: Pick<PostgresPool, 'query'>): Promise<SharedIndex[]> =>
  (await database.query<Row>('SELECT revision, files FROM search_indexes')).map(toIndex)

/** Opens the search indexes that nodes share. */
export const createPostgresIndexes = (pool: PostgresPool): SharedIndexes => ({
  newest: async format => {
    const found = 'SELECT revision, files FROM search_indexes WHERE format = $1 ORDER BY revision DESC LIMIT 1'
    const [row] = await pool.query<Row>(found, [format])
    return row && toIndex(row)
  },
  add: (format, { revision, files }) =>
    pool.transaction(async session => {
      await session.run(
        `INSERT INTO search_indexes (format, revision, files)
         SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM search_indexes WHERE format = $1 AND revision >= $2)`,
        [format, revision, JSON.stringify(files)],
      )
      await session.run(
        `DELETE FROM search_indexes WHERE format = $1 AND revision NOT IN (
           SELECT revision FROM search_indexes WHERE format = $1 ORDER BY revision DESC LIMIT ${kept})`,
        [format],
      )
      return readAll(session)
    }),
  all: () => readAll(pool),
  withdraw: async key => {
    const hasFile = `EXISTS (SELECT 1 FROM json_array_elements(files::json) f WHERE f->>'key' = $1)`
    await pool.run(`DELETE FROM search_indexes WHERE ${hasFile}`, [key])
  },
  isLocked: format => isIndexLockHeld(pool, format),
  lock: async (format, silenceMs) => {
    try {
      return await holdIndexLock(pool, format, silenceMs)
    } catch (error) {
      if (error instanceof LockHeld) return undefined
      throw error
    }
  },
})
