import { createHash } from 'node:crypto'
import { migratePostgres } from '../src/store/postgres/migrate.ts'
import { postgresMigrations } from '../src/store/postgres/migrations/all.ts'
import { PostgresPool, workTimeouts } from '../src/store/postgres/pool.ts'
import { createTemplate } from './databases.ts'

/** Creates the database with the current schema that the databases of tests are copies of; returns its name. */
export const postgresTemplate = (): Promise<string> =>
  createTemplate(
    `periplus_template_${createHash('sha256').update(JSON.stringify(postgresMigrations)).digest('hex').slice(0, 12)}`,
    async url => {
      const pool = new PostgresPool({ url, connections: 1, timeouts: workTimeouts })
      await migratePostgres(pool, postgresMigrations).finally(() => pool.close())
    },
  )
