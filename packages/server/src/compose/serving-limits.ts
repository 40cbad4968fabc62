import { AddressGuard, addressGuardDefaults } from '../access/address-guard.ts'
import { FeedLimits } from '../access/feed-limits.ts'
import { Limits } from '../access/limits.ts'
import { timeline } from '../access/timeline.ts'
import type { Config } from '../config/load.ts'
import type { Operation, OperationMeter } from '../domain/operation.ts'
import type { FeedTakings } from '../domain/stores.ts'
import { Metering } from '../http/partner/metering.ts'
import { routes } from '../http/partner/routes.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import type { Layout } from '../store/folder/layout.ts'
import { sqliteLedger } from '../store/sqlite/ledger.ts'
import type { Sqlite } from '../store/sqlite/open.ts'
import type { Journal } from '../usage/journal.ts'
import { recoverStates } from '../usage/recover.ts'

/** Limits that go on where the process before left them. */
export async function composeMetering(
  config: Config,
  layout: Layout,
  control: Sqlite,
  journal: Journal,
  clock: Clock,
  takings: FeedTakings,
  traffic: Traffic,
): Promise<Metering> {
  const nowMs = clock.nowMs()
  const line = timeline({ wallMs: nowMs, monotonicUs: clock.monotonicUs() })
  const { penalty, penaltyGraceMs, penaltyCapSeconds, badKeyRate, badKeyBurst } = config.limits
  const limits = new Limits({
    searchCountsTowardPackage: config.search.countsTowardPackage,
    penalty: { enabled: penalty, graceUs: penaltyGraceMs * 1000, capUs: penaltyCapSeconds * 1_000_000 },
  })
  const ledger = sqliteLedger(control)
  const { states, last } = await recoverStates(layout.journal, ledger, nowMs)
  await ledger.rebase(limits.restore(states, line.at(clock.monotonicUs()), last), nowMs)
  return new Metering({
    limits,
    downloads: new FeedLimits(config.feeds, takings),
    timeline: line,
    journal,
    guard: new AddressGuard({ ...addressGuardDefaults, rate: badKeyRate, burst: badKeyBurst }),
    clock,
    meters: metersOf(config),
    traffic,
  })
}

/** The table's meters, where the config does not say otherwise. */
function metersOf(config: Config): Record<Operation, OperationMeter> {
  const configured = config.meters as Partial<Record<Operation, OperationMeter>>
  const rows = routes.map(
    ({ operation, meter }) => [operation, { meter, weight: 1, ...configured[operation] }] as const,
  )
  return Object.fromEntries(rows) as Record<Operation, OperationMeter>
}
