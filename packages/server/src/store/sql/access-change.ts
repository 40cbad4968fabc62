import type { ChangeRecord } from '../../domain/change-record.ts'
import { writeRecord } from './change-record.ts'
import { run, type SqlDatabase, type SqlWork } from './database.ts'

/**
 * Runs a change of keys or partners in a transaction that also writes its record, and increments the revision that
 * serving processes check for changes. A result of false or undefined means that nothing was changed, and nothing is
 * recorded.
 */
export const changeAccess = <R>(db: SqlDatabase, record: ChangeRecord, change: () => SqlWork<R>): Promise<R> =>
  db.transaction(function* () {
    const result = yield* change()
    if (result !== false && result !== undefined) {
      yield* run('UPDATE revision SET access = access + 1')
      yield* writeRecord(record)
    }
    return result
  })
