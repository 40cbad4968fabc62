import type { Config } from '../config/load.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { PackageTable } from '../domain/package.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { openLayout } from '../store/folder/layout.ts'
import { createNodeRecords } from '../usage/node-records.ts'
import { keepPastReports } from '../usage/past-reports.ts'
import { sumUsage } from '../usage/query.ts'
import { findRelyingKeys } from '../usage/relying-keys.ts'
import { sumStatement } from '../usage/statement.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { openNodeJournal } from './node-journal.ts'

/** Dependencies of the use cases for usage. */
export interface Usage {
  readonly usage: UsageReports
  readonly keys: KeyAdmin
  readonly clock: Clock
  readonly packageTable: PackageTable
}

/**
 * Composes reports from the ledger of an open engine and the journals. A service may run concurrently. `waitMs` is the
 * maximum wait for the journals of other nodes.
 */
export function composeUsage(engine: Engine, config: Config, waitMs?: number): Usage {
  return { usage: composeReports(engine, config, waitMs), keys: engine.keys, clock: systemClock, packageTable: config }
}

/** Composes the usage of pages, which keeps sums of past days for a minute. */
export function composePageUsage(engine: Engine, config: Config): Usage {
  const found = composeUsage(engine, config, 0)
  return { ...found, usage: keepPastReports(found.usage, found.clock) }
}

/** Composes reports from the ledger, the journal of the data folder, and those of other nodes. */
function composeReports({ ledger, journals }: Engine, config: Config, waitMs: number | undefined): UsageReports {
  const { journal } = openNodeJournal(openLayout(config.data).journal, journals, findLazyBlobs(config))
  const others =
    journals && createNodeRecords({ journals, blobs: findLazyBlobs(config), waitMs, nowMs: systemClock.nowMs })
  const countedTo = async () => (await journals?.foldedTo()) ?? Number.POSITIVE_INFINITY
  return {
    report: (query, by, timeZone, countedOnly) =>
      sumUsage(journal, ledger, query, { by, timeZone, countedOnly, others }),
    statement: async (period, nowMs, countedOnly) =>
      sumStatement(journal, ledger, period, { nowMs, countedToMs: await countedTo(), countedOnly }),
    countedTo,
    relyingKeys: fromMs => findRelyingKeys(journal, ledger, fromMs),
  }
}
