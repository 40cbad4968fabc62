import type { Config } from '../config/load.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { PackageTable } from '../domain/package.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { openLayout } from '../store/folder/layout.ts'
import { journalIn } from '../usage/journal-reader.ts'
import { keepPastReports } from '../usage/past-reports.ts'
import { sumUsage } from '../usage/query.ts'
import { findRelyingKeys } from '../usage/relying-keys.ts'
import { sumStatement } from '../usage/statement.ts'

/** Dependencies of the use cases for usage. */
export interface Usage {
  readonly usage: UsageReports
  readonly keys: KeyAdmin
  readonly clock: Clock
  readonly packageTable: PackageTable
}

/** Composes reports from the ledger of an open engine and the journal. A service may run concurrently. */
export function composeUsage({ ledger, keys }: Engine, config: Config): Usage {
  return { usage: composeReports(ledger, config.data), keys, clock: systemClock, packageTable: config }
}

/** Composes the usage of pages, which keeps sums of past days for a minute. */
export function composePageUsage(engine: Engine, config: Config): Usage {
  const found = composeUsage(engine, config)
  return { ...found, usage: keepPastReports(found.usage, found.clock) }
}

/** Composes reports from a ledger and the journal of its data folder. */
export function composeReports(ledger: Ledger, data: string): UsageReports {
  const journal = journalIn(openLayout(data).journal)
  return {
    report: (query, by, timeZone, countedOnly) => sumUsage(journal, ledger, query, { by, timeZone, countedOnly }),
    statement: (period, nowMs, countedOnly) => sumStatement(journal, ledger, period, nowMs, countedOnly),
    relyingKeys: fromMs => findRelyingKeys(journal, ledger, fromMs),
  }
}
