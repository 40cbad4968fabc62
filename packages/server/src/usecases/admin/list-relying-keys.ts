import type { Actor } from '../../domain/actor.ts'
import type { RelyingKey, UsageReports } from '../../domain/usage-report.ts'
import { isVisible, visibilityOf } from '../../domain/visibility.ts'
import type { Clock } from '../../kit/clock.ts'
import { startOfUtcDay } from '../../kit/time.ts'

/** Period in which a call without a version counts as relying on the default version, in days. */
export const relyingDays = 90

/**
 * Lists the visible keys with recent calls without a version, which a promotion of another version affects (R-16, SPEC
 * §9.1).
 */
export async function listRelyingKeys(
  { usage, clock }: { readonly usage: UsageReports; readonly clock: Clock },
  actor: Actor,
): Promise<RelyingKey[]> {
  const relying = await usage.relyingKeys(startOfUtcDay(clock.nowMs() - relyingDays * 86_400_000))
  const visibility = visibilityOf(actor)
  return relying.filter(({ partnerId }) => isVisible(visibility, partnerId))
}
