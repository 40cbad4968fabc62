import { randomInt } from 'node:crypto'
import type { ChangeRecord } from '../../domain/change-record.ts'
import { writeRecord } from './change-record.ts'
import { run, type SqlDatabase, type SqlWork } from './database.ts'

/** Exclusive upper bound of revisions: the largest range of randomInt, below 2^53 also after increments. */
const revisions = 2 ** 48 - 1

/**
 * Runs a change of keys or partners in a transaction that also writes its record, and replaces the revision that
 * serving processes check for changes. The revision is random: one that a fail-over has lost never returns with another
 * change. Older releases increment it, and compare it for equality only. A result of false or undefined means
 * that nothing was changed, and nothing is recorded.
 */
export const changeAccess = <R>(db: SqlDatabase, record: ChangeRecord, change: () => SqlWork<R>): Promise<R> =>
  db.transaction(function* () {
    const result = yield* change()
    if (result !== false && result !== undefined) {
      yield* run('UPDATE revision SET access = @access', { access: randomInt(revisions) })
      yield* writeRecord(record)
    }
    return result
  })
