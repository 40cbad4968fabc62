import pg from 'pg'
import { expect, test } from 'vitest'
import { connect } from '../../../src/store/connection.ts'
import { controlMigrations } from '../../../src/store/sqlite/migrations/control.ts'
import { describeWith, useDatabase } from '../../engines.ts'
import { postgresTemplate } from '../../postgres-template.ts'

/** Tables whose rows the engines keep in different ways. */
const others = /^(usage_(position|files|slots|eighths|days)|limit_states|folder_identity|pending_cleaning|sqlite_.*)$/

/** Columns of PostgreSQL alone: SQLite numbers the rows of every table. */
const own = new Set(['rowid'])

describeWith(['pg'], 'the tables of control data', () => {
  test('have the same columns in SQLite and PostgreSQL', async () => {
    const db = connect(':memory:')
    for (const migration of controlMigrations) db.exec(migration)
    const columns = (name: string) => db.prepare(`SELECT name FROM pragma_table_info('${name}')`).pluck().all()
    const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    const expected = new Map(names.filter(name => !others.test(name)).map(name => [name, columns(name).sort()]))
    db.close()
    const client = new pg.Client({ connectionString: await useDatabase(await postgresTemplate()) })
    await client.connect()
    const { rows } = await client.query<{ table_name: string; column_name: string }>(
      'SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()',
    )
    await client.end()
    const found = Map.groupBy(rows, row => row.table_name)
    expect(expected.size).toBeGreaterThan(30)
    for (const [name, wanted] of expected) {
      const columns = (found.get(name) ?? []).map(row => row.column_name)
      expect(columns.filter(column => !own.has(column)).sort(), name).toEqual(wanted)
    }
  })
})
