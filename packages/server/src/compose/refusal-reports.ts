import type { RefusalHour } from '../domain/refusal-hours.ts'
import type { RefusalCounts } from '../limits/refusal-counts.ts'

const reportEveryMs = 60_000

/**
 * Hands counts of refusals over to the request log once a minute, and when it is stopped. Counts that fail are kept.
 */
export function startRefusalReports(counts: RefusalCounts, send: (rows: readonly RefusalHour[]) => Promise<void>) {
  const report = async (): Promise<void> => {
    const rows = counts.drain()
    if (rows.length > 0) await send(rows).catch(() => counts.restore(rows))
  }
  const timer = setInterval(() => void report(), reportEveryMs)
  timer.unref()
  return {
    stop: (): Promise<void> => {
      clearInterval(timer)
      return report()
    },
  }
}
