import type { ChangeRecord } from '../../domain/change-record.ts'
import type { ForgivenPenalty, KeyAdmin } from '../../domain/key-stores.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'

/** Opens the forgiven penalties in control.sqlite. */
export function forgivenPenalties(control: Sqlite): Pick<KeyAdmin, 'forgivePenalty' | 'forgivenPenalties'> {
  const add = control.prepare<[string, number]>(
    'INSERT OR REPLACE INTO forgiven_penalties (key_id, at_ms) VALUES (?, ?)',
  )
  const newer = control.prepare<[number], ForgivenPenalty>(
    'SELECT number, key_id AS keyId, at_ms AS atMs FROM forgiven_penalties WHERE number > ? ORDER BY number',
  )
  const writeRecord = createRecordWriter(control)
  const forgive = control.transaction((keyId: string, atMs: number, record: ChangeRecord) => {
    add.run(keyId, atMs)
    writeRecord(record)
  })
  return {
    forgivePenalty: async (keyId, atMs, record) => forgive.immediate(keyId, atMs, record),
    forgivenPenalties: async after => newer.all(after),
  }
}
