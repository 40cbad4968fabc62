import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { AuditLog } from '../../domain/audit-log.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { LimitStatus } from '../../domain/limit-status.ts'
import type { LiveState } from '../../domain/live-state.ts'
import type { Clock } from '../../kit/clock.ts'
import { getLimits } from './get-limits.ts'
import { recordOf } from './record.ts'

/** Dependencies of `forgivePenalty`. */
export interface PenaltyStores {
  readonly keys: KeyAdmin
  readonly audit: AuditLog
  readonly clock: Clock
  readonly live: Pick<LiveState, 'limitsOf' | 'forgive'>
}

/** Ends the penalty of a key for retrying too early. A key without strikes is not changed, and nothing is recorded. */
export async function forgivePenalty(
  stores: PenaltyStores,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ readonly key: Key; readonly status: LimitStatus } | AdminFault> {
  const before = await getLimits(stores, actor, { id })
  if (isAdminFault(before)) return before
  const { key, status } = before
  const strikes = Math.max(status.package.penalty?.strikes ?? 0, status.search.penalty?.strikes ?? 0)
  if (strikes === 0) return before
  await stores.live.forgive(key)
  const change = {
    action: 'key.forgive',
    target: id,
    partnerId: key.partnerId,
    before: { strikes },
    after: { strikes: 0 },
  }
  await stores.audit.append(recordOf(stores.clock, actor, change))
  return getLimits(stores, actor, { id })
}
