import { expect, onTestFinished, test } from 'vitest'
import type { Fold, UsageCursor } from '../../domain/ledger.ts'
import { connect } from '../connection.ts'
import { createSqliteLedger } from './ledger.ts'
import { migrate } from './migrate.ts'
import { controlMigrations } from './migrations/control.ts'

test('changes nothing when a statement in the middle of the transaction fails', async () => {
  const db = connect(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, ':memory:', controlMigrations)
  const ledger = createSqliteLedger(db)
  const fold: Fold = {
    from: await ledger.position(),
    to: '2:0' as UsageCursor,
    files: [{ file: 2, bytes: 7, calls: 1, firstMs: 5, lastMs: 5, state: 'present' }],
    rows: [
      {
        fromMs: 0,
        partnerId: 'acme',
        keyId: 'k1',
        operation: 'getLocation',
        version: '1',
        versionExplicit: false,
        status: 200,
        billable: true,
        calls: 1,
        units: 1,
      },
    ],
    states: [{ subject: 'k1', bucket: 'package', windowStartMs: 5, used: 1, tatUs: 0 }],
    uses: [],
    last: { timeMs: 5, shiftMs: 0 },
  }
  const before = await ledger.readAll()
  db.exec(`CREATE TRIGGER broken BEFORE UPDATE ON usage_position BEGIN SELECT raise(ABORT, 'broken'); END`)
  await expect(ledger.commit(fold)).rejects.toThrow('broken')
  expect(await ledger.readAll()).toEqual(before)
  db.exec('DROP TRIGGER broken')
  expect(await ledger.commit(fold)).toBe('committed')
  expect((await ledger.readAll()).slots).toEqual(fold.rows)
})
