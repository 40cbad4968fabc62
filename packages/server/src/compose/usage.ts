import type { Config } from '../config/load.ts'
import { openEnd } from '../domain/ledger.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { getMonthSpan } from '../kit/time.ts'
import { openLayout } from '../store/folder/layout.ts'
import { readUsage } from '../usage/query.ts'
import { findRelyingKeys } from '../usage/relying-keys.ts'
import { buildReport } from '../usage/report.ts'
import { buildStatement } from '../usage/statement.ts'

/** Dependencies of the use cases for usage. */
export interface Usage {
  readonly usage: UsageReports
  readonly clock: Clock
}

/** Composes reports from the ledger of an open engine and the journal. A service may run concurrently. */
export function composeUsage({ ledger }: Engine, config: Config): Usage {
  const layout = openLayout(config.data)
  return {
    usage: {
      report: async (query, by, timeZone) => buildReport(await readUsage(layout.journal, ledger, query), by, timeZone),
      statement: async (period, nowMs) => {
        const { fromMs, toMs } = getMonthSpan(period.month, period.timeZone)
        const isOver = toMs <= nowMs
        const query = { fromMs, toMs: isOver ? toMs : openEnd, partnerId: period.partnerId }
        return buildStatement(await readUsage(layout.journal, ledger, query), period, Math.min(toMs, nowMs))
      },
      relyingKeys: fromMs => findRelyingKeys(layout.journal, ledger, fromMs),
    },
    clock: systemClock,
  }
}
