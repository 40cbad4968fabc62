import type { Actor } from '../../domain/actor.ts'
import type { AuditLog } from '../../domain/audit-log.ts'
import type { Clock } from '../../kit/clock.ts'
import { hourMs } from '../../kit/time.ts'
import { recordOf } from './record.ts'

/** Interval at which the audit repeats that staff looks at the pages of a partner, in milliseconds. */
const repeatMs = hourMs
/** Number of views that are remembered. */
const maxKnown = 10_000

/**
 * Records that staff looks at the pages of a partner, so that the partner sees it in its activity: once an hour per
 * session.
 */
export class PartnerViews {
  readonly #audit: Pick<AuditLog, 'append'>
  readonly #clock: Clock
  readonly #known = new Map<string, number>()

  constructor(audit: Pick<AuditLog, 'append'>, clock: Clock) {
    this.#audit = audit
    this.#clock = clock
  }

  async record(actor: Actor, sessionId: string, partnerId: string): Promise<void> {
    const view = `${sessionId} ${partnerId}`
    const nowMs = this.#clock.nowMs()
    const atMs = this.#known.get(view)
    if (atMs !== undefined && nowMs - atMs < repeatMs) return
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(view, nowMs)
    await this.#audit.append(recordOf(this.#clock, actor, { action: 'partner.view', target: partnerId, partnerId }))
  }
}
