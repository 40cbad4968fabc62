import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'

/**
 * Wraps a change of keys or partners in a transaction that also writes its record. A result of false or undefined means
 * that nothing was changed, and nothing is recorded.
 */
export type AccessChange = <A extends unknown[], R>(change: (...args: A) => R) => (...args: [...A, ChangeRecord]) => R

/** Creates the wrapper, which increments the revision that serving processes check for changes. */
export function createAccessChange(control: Sqlite): AccessChange {
  const incrementRevision = control.prepare('UPDATE revision SET access = access + 1')
  const writeRecord = createRecordWriter(control)
  return <A extends unknown[], R>(change: (...args: A) => R) => {
    const recorded = control.transaction((args: A, record: ChangeRecord): R => {
      const result = change(...args)
      if (result !== false && result !== undefined) {
        incrementRevision.run()
        writeRecord(record)
      }
      return result
    }).immediate
    return (...all: [...A, ChangeRecord]) => recorded(all.slice(0, -1) as A, all.at(-1) as ChangeRecord)
  }
}
