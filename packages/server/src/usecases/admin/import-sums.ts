import type { Removal } from '../../domain/full-sync.ts'
import { emptyReport, type ImportReport, unknownKinds } from '../../domain/import.ts'

const counts = ['read', 'added', 'changed', 'unchanged', 'removed', 'rejected', 'seconds'] as const

/** Returns the sums over the reports of inputs, with the records that a full sync removed. */
export function sumReports(reports: readonly ImportReport[], removals: readonly Removal[]): ImportReport {
  const total = emptyReport()
  for (const report of reports) {
    for (const name of counts) total[name] += report[name]
    for (const part of ['reasons', 'notes'] as const) {
      for (const [name, count] of Object.entries(report[part])) total[part][name] = (total[part][name] ?? 0) + count
    }
    for (const kind of unknownKinds) {
      const sums = total.unknown[kind]
      for (const [value, count] of report.unknown[kind]) sums.set(value, (sums.get(value) ?? 0) + count)
    }
  }
  for (const { removed } of removals) total.removed += removed
  return total
}
