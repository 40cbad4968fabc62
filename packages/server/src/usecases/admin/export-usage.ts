import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { BillingSystem, UsageExports } from '../../domain/exported-usage.ts'
import type { Clock } from '../../kit/clock.ts'

/** Minimum age of an exported slot, in milliseconds: its hour and its calls have ended then. */
const completeAfterMs = 70 * 60_000

/** Dependencies of the export; `billing` is undefined if the configuration names none. */
export interface UsageExportParts {
  readonly exports: UsageExports
  readonly billing: BillingSystem | undefined
  readonly clock: Clock
  /** Earlier usage is not exported; milliseconds since 1970. */
  readonly fromMs: number
}

/** The result of an export. */
export interface UsageExport {
  /** Number of events that the billing system accepted. */
  readonly sent: number
  readonly units: number
}

/**
 * Sends billable usage to a billing system: everything since the last export, and what was not accepted then.
 * `againFromMs` sends usage from that time again. Safe to interrupt and repeat: an event keeps its id.
 */
export async function exportUsage(
  { exports, billing, clock, fromMs }: UsageExportParts,
  _actor: Actor,
  { againFromMs }: { readonly againFromMs?: number | undefined } = {},
): Promise<UsageExport | AdminFault> {
  if (!billing) return adminFault('billing_system_missing', [], {})
  if (againFromMs !== undefined) await exports.resend(againFromMs)
  await exports.collect({ fromMs, toMs: clock.nowMs() - completeAfterMs })
  let [sent, units] = [0, 0]
  for (;;) {
    const parts = await exports.unsent(billing.batch)
    if (parts.length === 0) return { sent, units }
    const failure = await billing.send(parts)
    if (failure) return adminFault('billing_system_failed', [], { url: billing.url, failure, sent })
    await exports.markSent(parts)
    sent += parts.length
    units += parts.reduce((sum, part) => sum + part.units, 0)
  }
}
