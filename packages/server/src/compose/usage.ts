import type { Config } from '../config/load.ts'
import { openEnd } from '../domain/ledger.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { monthSpan } from '../kit/time.ts'
import { openLayout } from '../store/folder/layout.ts'
import { usageRows } from '../usage/query.ts'
import { relyingKeys } from '../usage/relying-keys.ts'
import { report } from '../usage/report.ts'
import { statement } from '../usage/statement.ts'
import { openConfiguredEngine } from './engine.ts'

/** Dependencies of the use cases for usage. */
export interface Usage {
  readonly usage: UsageReports
  readonly clock: Clock
  close(): Promise<void>
}

/** Opens the ledger and the journal of a data folder. Works next to a running service. */
export function composeUsage(config: Config): Usage {
  const layout = openLayout(config.data, { create: false })
  const engine = openConfiguredEngine(config, { create: false })
  const { ledger } = engine
  return {
    usage: {
      report: async (query, by, timeZone) => report(await usageRows(layout.journal, ledger, query), by, timeZone),
      statement: async (period, nowMs) => {
        const { fromMs, toMs } = monthSpan(period.month, period.timeZone)
        const isOver = toMs <= nowMs
        const query = { fromMs, toMs: isOver ? toMs : openEnd, partnerId: period.partnerId }
        return statement(await usageRows(layout.journal, ledger, query), period, Math.min(toMs, nowMs))
      },
      relyingKeys: fromMs => relyingKeys(layout.journal, ledger, fromMs),
    },
    clock: systemClock,
    close: () => engine.close(),
  }
}
