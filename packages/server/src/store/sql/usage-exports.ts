import type { ExportedUsage, UsageExports } from '../../domain/exported-usage.ts'
import { dayMs } from '../../kit/time.ts'
import { run, type SqlDatabase, type SqlWork } from './database.ts'

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Opens the exported usage. */
export const createUsageExports = (db: SqlDatabase): UsageExports => ({
  collect: async span => {
    const days = await db.all<{ day: number }>(
      `SELECT used.from_ms AS day FROM
         (SELECT from_ms, sum(units) AS units FROM usage_days
          WHERE billable = 1 AND from_ms >= @firstDay AND from_ms < @toMs GROUP BY from_ms) AS used
       LEFT JOIN usage_export_days AS exported ON exported.day_ms = used.from_ms
       WHERE used.units > coalesce(exported.units, 0)`,
      { ...span, firstDay: span.fromMs - (span.fromMs % dayMs) },
    )
    for (const { day } of days) await db.transaction(() => collectDay(day, span))
  },
  unsent: limit =>
    db.all<ExportedUsage>(
      `SELECT from_ms AS "fromMs", partner_id AS "partnerId", key_id AS "keyId", operation, part, calls, units
       FROM usage_exports WHERE sent = 0 ORDER BY from_ms LIMIT @limit`,
      { limit },
    ),
  markSent: parts =>
    db.transaction(function* () {
      for (const part of parts)
        yield* run(
          `UPDATE usage_exports SET sent = 1 WHERE from_ms = @fromMs AND key_id = @keyId AND operation = @operation
             AND partner_id = @partnerId AND part = @part`,
          { ...part },
        )
    }),
  resend: fromMs => db.run('UPDATE usage_exports SET sent = 0 WHERE from_ms >= @fromMs AND sent = 1', { fromMs }),
})

const columns = 'from_ms, key_id, operation, partner_id'

function* collectDay(day: number, { fromMs, toMs }: Span): SqlWork<void> {
  yield* run(
    `INSERT INTO usage_exports (from_ms, key_id, operation, partner_id, part, calls, units, sent)
     SELECT slot.from_ms, slot.key_id, slot.operation, slot.partner_id, coalesce(exported.part, 0) + 1,
       slot.calls - coalesce(exported.calls, 0), slot.units - coalesce(exported.units, 0), 0
     FROM (SELECT ${columns}, sum(CASE WHEN status < 300 THEN calls ELSE 0 END) AS calls, sum(units) AS units
           FROM usage_slots WHERE from_ms >= @fromMs AND from_ms < @toMs AND billable = 1 GROUP BY ${columns}) AS slot
     LEFT JOIN (SELECT ${columns}, max(part) AS part, sum(calls) AS calls, sum(units) AS units FROM usage_exports
                WHERE from_ms >= @fromMs AND from_ms < @toMs GROUP BY ${columns}) AS exported USING (${columns})
     WHERE slot.units > coalesce(exported.units, 0)`,
    { fromMs: Math.max(day, fromMs), toMs: Math.min(day + dayMs, toMs) },
  )
  yield* run('DELETE FROM usage_export_days WHERE day_ms = @day', { day })
  yield* run(
    `INSERT INTO usage_export_days (day_ms, units)
     SELECT @day, coalesce(sum(units), 0) FROM usage_exports WHERE from_ms >= @day AND from_ms < @end`,
    { day, end: day + dayMs },
  )
}
