import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
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
  readonly clock: Clock
  readonly live: Pick<LiveState, 'limitsOf' | 'forgive'>
}

/**
 * Ends the penalty of a key for retrying too early. Returns the strikes that it ended; a key without strikes is
 * not changed, and nothing is recorded.
 */
export async function forgivePenalty(
  stores: PenaltyStores,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ readonly key: Key; readonly status: LimitStatus; readonly strikes: number } | AdminFault> {
  const before = await getLimits(stores, actor, { id })
  if (isAdminFault(before)) return before
  const { key, status } = before
  const strikes = Math.max(status.package.penalty?.strikes ?? 0, status.search.penalty?.strikes ?? 0)
  if (strikes === 0) return { ...before, strikes }
  const record = recordOf(stores.clock, actor, {
    action: 'key.forgive',
    target: id,
    partnerId: key.partnerId,
    before: { strikes },
    after: { strikes: 0 },
  })
  await stores.keys.forgivePenalty(id, record.audit.atMs, record)
  await stores.live.forgive(key)
  return { key, status: await stores.live.limitsOf(key), strikes }
}
