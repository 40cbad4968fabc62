import type { IdempotencyStore } from '../../domain/idempotency.ts'
import { get, run, type SqlDatabase } from './database.ts'

/** Creates the store of answers by Idempotency-Key. */
export function createIdempotency(db: SqlDatabase): IdempotencyStore {
  const isRequest = 'token = @tokenId AND key_digest = @keyDigest'
  return {
    reserve: async (request, bodyDigest, { nowMs, expiredMs }) => {
      const known = await db.transaction(function* () {
        yield* run('DELETE FROM idempotency WHERE at_ms < @expiredMs', { expiredMs })
        const added = yield* run(
          `INSERT INTO idempotency (token, key_digest, body_digest, at_ms)
           VALUES (@tokenId, @keyDigest, @bodyDigest, @nowMs) ON CONFLICT DO NOTHING`,
          { ...request, bodyDigest, nowMs },
        )
        if (added > 0) return undefined
        return yield* get<{ body_digest: Buffer; at_ms: number; answer: Buffer | null }>(
          `SELECT body_digest, at_ms, answer FROM idempotency WHERE ${isRequest}`,
          { ...request },
        )
      })
      return (
        known && { bodyDigest: known.body_digest, atMs: known.at_ms, ...(known.answer && { answer: known.answer }) }
      )
    },
    complete: async (request, answer, bodyDigest) =>
      void (await db.run(`UPDATE idempotency SET answer = @answer, body_digest = @bodyDigest WHERE ${isRequest}`, {
        ...request,
        answer,
        bodyDigest,
      })),
    release: async request => void (await db.run(`DELETE FROM idempotency WHERE ${isRequest}`, { ...request })),
  }
}
