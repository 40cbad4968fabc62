import type { IdempotencyStore } from '../../domain/idempotency.ts'
import type { Sqlite } from '../connection.ts'

/** Creates the store of answers by Idempotency-Key. */
export function createSqliteIdempotency(control: Sqlite): IdempotencyStore {
  const prune = control.prepare<[number]>('DELETE FROM idempotency WHERE at_ms < ?')
  const insert = control.prepare<[string, Buffer, Buffer, number]>(
    'INSERT OR IGNORE INTO idempotency (token, key_digest, body_digest, at_ms) VALUES (?, ?, ?, ?)',
  )
  const find = control.prepare<[string, Buffer], { body_digest: Buffer; answer: Buffer | null }>(
    'SELECT body_digest, answer FROM idempotency WHERE token = ? AND key_digest = ?',
  )
  const complete = control.prepare<[Buffer, Buffer, string, Buffer]>(
    'UPDATE idempotency SET answer = ?, body_digest = ? WHERE token = ? AND key_digest = ?',
  )
  const release = control.prepare<[string, Buffer]>('DELETE FROM idempotency WHERE token = ? AND key_digest = ?')
  const reserve = control.transaction((token: string, key: Buffer, body: Buffer, nowMs: number, expiredMs: number) => {
    prune.run(expiredMs)
    return insert.run(token, key, body, nowMs).changes > 0 ? undefined : find.get(token, key)
  })
  return {
    reserve: async ({ tokenId, keyDigest }, bodyDigest, { nowMs, expiredMs }) => {
      const known = reserve.immediate(tokenId, keyDigest, bodyDigest, nowMs, expiredMs)
      return known && { bodyDigest: known.body_digest, ...(known.answer && { answer: known.answer }) }
    },
    complete: async ({ tokenId, keyDigest }, answer, bodyDigest) =>
      void complete.run(answer, bodyDigest, tokenId, keyDigest),
    release: async ({ tokenId, keyDigest }) => void release.run(tokenId, keyDigest),
  }
}
