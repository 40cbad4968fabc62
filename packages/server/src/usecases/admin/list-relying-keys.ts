import type { Actor } from '../../domain/actor.ts'
import type { RelyingKey, UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'

/** The number of days in which calls without a version count as relying on the default. */
export const relyingDays = 90

/** Lists the keys whose recent calls named no version: a promotion of another version moves them (R-16, SPEC §9.1). */
export const listRelyingKeys = (
  { usage, clock }: { readonly usage: UsageReports; readonly clock: Clock },
  _actor: Actor,
): Promise<RelyingKey[]> => usage.relyingKeys(clock.nowMs() - relyingDays * 86_400_000)
