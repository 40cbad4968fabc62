import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Fold, UsageCursor, UsageRow } from '../../domain/ledger.ts'
import { createUsageRow } from '../../domain/usage-row.fixture.ts'
import { connect } from '../connection.ts'
import { createSqliteLedger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { controlMigrations } from './migrations/control.ts'
import { usageEighthsMigration } from './migrations/usage.ts'

function openControl() {
  const db = connect(':memory:')
  onTestFinished(() => void db.close())
  return db
}

test('changes nothing when a statement in the middle of the transaction fails', async () => {
  const db = openControl()
  migrate(db, ':memory:', controlMigrations)
  const ledger = createSqliteLedger(db)
  const fold: Fold = {
    from: await ledger.position(),
    to: '2:0' as UsageCursor,
    files: [{ file: 2, bytes: 7, calls: 1, firstMs: 5, lastMs: 5, state: 'present' }],
    rows: [createUsageRow(0)],
    states: [{ subject: 'k1', bucket: 'package', windowStartMs: 5, used: 1, tatUs: 0 }],
    uses: [],
    last: { timeMs: 5, shiftMs: 0 },
  }
  const before = await ledger.readAll()
  db.exec(`CREATE TRIGGER broken BEFORE UPDATE ON usage_position BEGIN SELECT raise(ABORT, 'broken'); END`)
  await expect(ledger.commit(fold)).rejects.toThrow('broken')
  expect(await ledger.readAll()).toEqual(before)
  db.exec('DROP TRIGGER broken')
  expect(await ledger.commit(fold)).toEqual({ late: 0 })
  expect((await ledger.readAll()).slots).toEqual(fold.rows)
})

test('a migration sums the slots of an older ledger by eighth of a day', async () => {
  const db = openControl()
  const folder = mkdtempSync(join(tmpdir(), 'periplus-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'control.sqlite')
  migrate(db, file, controlMigrations.slice(0, controlMigrations.indexOf(usageEighthsMigration)))
  const hourMs = 3_600_000
  const insert = db.prepare("INSERT INTO usage_slots VALUES (?, ?, 'k1', 'getLocation', '1', 0, ?, 1, ?, ?)")
  const slots: [number, string, number, number, number][] = [
    [0, 'acme', 200, 2, 5],
    [2 * hourMs, 'acme', 200, 1, 1],
    [2 * hourMs, 'acme', 429, 4, 0],
    [2.5 * hourMs, 'other', 200, 1, 1],
    [3 * hourMs, 'acme', 200, 7, 7],
    [24 * hourMs, 'acme', 200, 1, 3],
  ]
  for (const slot of slots) insert.run(slot)
  migrate(db, file, controlMigrations)
  const ledger = createSqliteLedger(db)
  const of = (rows: readonly UsageRow[]) => rows.map(one => JSON.stringify(one)).toSorted()
  const { eighths } = await ledger.readAll()
  expect(of(eighths)).toEqual(
    of([
      createUsageRow(0, { calls: 3, units: 6 }),
      createUsageRow(0, { calls: 4, units: 0, status: 429 }),
      createUsageRow(0, { partnerId: 'other' }),
      createUsageRow(3 * hourMs, { calls: 7, units: 7 }),
      createUsageRow(24 * hourMs, { units: 3 }),
    ]),
  )
})
