import type { ExportedUsage, UsageExports } from '../../domain/exported-usage.ts'
import { dayMs } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Opens the exported usage in control.sqlite. */
export function createSqliteUsageExports(control: Sqlite): UsageExports {
  const { incompleteDays, addParts, sumDay } = collectStatements(control)
  const collectDay = control.transaction((day: number, { fromMs, toMs }: Span) => {
    addParts.run({ fromMs: Math.max(day, fromMs), toMs: Math.min(day + dayMs, toMs) })
    sumDay.run({ day, end: day + dayMs })
  })
  const unsent = control.prepare<[number], ExportedUsage>(
    `SELECT from_ms AS fromMs, partner_id AS partnerId, key_id AS keyId, operation, part, calls, units
     FROM usage_exports WHERE sent = 0 ORDER BY from_ms LIMIT ?`,
  )
  const markOne = control.prepare<[ExportedUsage]>(
    `UPDATE usage_exports SET sent = 1 WHERE from_ms = @fromMs AND key_id = @keyId AND operation = @operation
       AND partner_id = @partnerId AND part = @part`,
  )
  const markSent = control.transaction((parts: readonly ExportedUsage[]) => {
    for (const part of parts) markOne.run(part)
  })
  const resend = control.prepare<[number]>('UPDATE usage_exports SET sent = 0 WHERE from_ms >= ? AND sent = 1')
  return {
    collect: async span => {
      for (const day of incompleteDays.all({ ...span, firstDay: span.fromMs - (span.fromMs % dayMs) }))
        collectDay.immediate(day, span)
    },
    unsent: async limit => unsent.all(limit),
    markSent: async parts => markSent.immediate(parts),
    resend: async fromMs => resend.run(fromMs).changes,
  }
}

function collectStatements(control: Sqlite) {
  const columns = 'from_ms, key_id, operation, partner_id'
  return {
    incompleteDays: control
      .prepare<[Span & { firstDay: number }], number>(
        `SELECT day.from_ms FROM
           (SELECT from_ms, sum(units) AS units FROM usage_days
            WHERE billable = 1 AND from_ms >= @firstDay AND from_ms < @toMs GROUP BY from_ms) AS day
         LEFT JOIN usage_export_days AS exported ON exported.day_ms = day.from_ms
         WHERE day.units > coalesce(exported.units, 0)`,
      )
      .pluck(),
    addParts: control.prepare<[Span]>(
      `INSERT INTO usage_exports
       SELECT slot.from_ms, slot.key_id, slot.operation, slot.partner_id, coalesce(exported.part, 0) + 1,
         slot.calls - coalesce(exported.calls, 0), slot.units - coalesce(exported.units, 0), 0
       FROM (SELECT ${columns}, sum(iif(status < 300, calls, 0)) AS calls, sum(units) AS units FROM usage_slots
             WHERE from_ms >= @fromMs AND from_ms < @toMs AND billable = 1 GROUP BY ${columns}) AS slot
       LEFT JOIN (SELECT ${columns}, max(part) AS part, sum(calls) AS calls, sum(units) AS units FROM usage_exports
                  WHERE from_ms >= @fromMs AND from_ms < @toMs GROUP BY ${columns}) AS exported USING (${columns})
       WHERE slot.units > coalesce(exported.units, 0)`,
    ),
    sumDay: control.prepare<[{ day: number; end: number }]>(
      `INSERT OR REPLACE INTO usage_export_days
       SELECT @day, coalesce(sum(units), 0) FROM usage_exports WHERE from_ms >= @day AND from_ms < @end`,
    ),
  }
}
