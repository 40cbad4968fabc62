import type { Sqlite } from '../connection.ts'

/**
 * Returns a function that increments the revision of control.sqlite. Call it in the transaction of each change
 * that stored records depend on.
 */
export function prepareRevisionIncrement(control: Sqlite): () => void {
  const increment = control.prepare('UPDATE folder_identity SET revision = revision + 1')
  return () => void increment.run()
}

/**
 * Returns a function that stores the revision of control.sqlite in data.sqlite. Call it in each transaction that writes
 * records, after the changes of control.sqlite that they depend on have been committed.
 */
export function prepareRevisionCopy(control: Sqlite, data: Sqlite): () => void {
  const read = control.prepare<[], number>('SELECT revision FROM folder_identity').pluck()
  const store = data.prepare<[{ revision: number }]>(
    'UPDATE store_identity SET revision = @revision WHERE revision < @revision',
  )
  return () => void store.run({ revision: read.get() ?? 0 })
}
