import type { ForgivenPenalty, KeyAdmin } from '../../domain/key-stores.ts'
import { writeRecord } from './change-record.ts'
import { run, type SqlDatabase } from './database.ts'

/** Opens the forgiven penalties. */
export const createForgivenPenalties = (db: SqlDatabase): Pick<KeyAdmin, 'forgivePenalty' | 'forgivenPenalties'> => ({
  forgivePenalty: (keyId, atMs, record) =>
    db.transaction(function* () {
      // Inserted again, so that its number grows.
      yield* run('DELETE FROM forgiven_penalties WHERE key_id = @keyId', { keyId })
      yield* run('INSERT INTO forgiven_penalties (key_id, at_ms) VALUES (@keyId, @atMs)', { keyId, atMs })
      yield* writeRecord(record)
    }),
  forgivenPenalties: after =>
    db.all<ForgivenPenalty>(
      `SELECT number, key_id AS "keyId", at_ms AS "atMs" FROM forgiven_penalties WHERE number > @after ORDER BY number`,
      { after },
    ),
})
