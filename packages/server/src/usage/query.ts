import {
  type Ledger,
  openEnd,
  type UsageFilter,
  type UsageKey,
  type UsageQuery,
  type UsageRow,
} from '../domain/ledger.ts'
import type { UsageDimension, UsageReport } from '../domain/usage-report.ts'
import { startsOfDays } from '../kit/time.ts'
import { recordsBetween } from './detail.ts'
import type { JournalReader } from './journal-reader.ts'
import type { NodeRecords } from './node-records.ts'
import { planPieces } from './pieces.ts'
import { ReportSums } from './report.ts'
import { getNextSlotStart, getSlotStart } from './slot.ts'
import { Sums, toUsageRow } from './sums.ts'
import { UnfoldedJournal } from './unfolded.ts'

/** The dimensions of a report, and the time zone of its days. */
export interface ReportShape {
  readonly by: readonly UsageDimension[]
  readonly timeZone: string
  /** Leaves out the calls that are not folded yet. Default: false. */
  readonly countedOnly?: boolean | undefined
  /** Returns the records of other nodes for parts of slots. Default: there are no other nodes. */
  readonly others?: NodeRecords | undefined
}

/**
 * Reports all calls of a half-open span of time. The ledger sums its roll-ups; the part of the journal that is not
 * folded yet, and the records of slots that the span covers only partly, are added.
 */
export async function sumUsage(
  journal: JournalReader,
  ledger: Ledger,
  query: UsageQuery,
  { by, timeZone, countedOnly = false, others }: ReportShape = { by: [], timeZone: 'UTC' },
): Promise<UsageReport> {
  const { fromMs, toMs } = query
  const slotsFromMs = getSlotStart(fromMs) === fromMs ? fromMs : getNextSlotStart(fromMs)
  const slotsToMs = toMs === openEnd ? toMs : Math.max(getSlotStart(toMs), slotsFromMs)
  const records: NodeRecords = async (...span) => [
    recordsBetween(journal, ...span, await ledger.files()),
    ...((await others?.(...span)) ?? []),
  ]
  const edges =
    slotsFromMs > toMs
      ? await readEdgeRows(records, query)
      : [
          ...(await readEdgeRows(records, { ...query, toMs: slotsFromMs })),
          ...(await readEdgeRows(records, { ...query, fromMs: slotsToMs })),
        ]
  for (;;) {
    const position = await ledger.position()
    const sums = new ReportSums(by, timeZone)
    for (const row of edges) sums.addRow(row)
    const tail = new Sums()
    const unfolded = countedOnly ? [] : new UnfoldedJournal(journal, await ledger.files()).read()
    for await (const { calls } of unfolded) tail.add(calls)
    for (const row of tail.fold().rows)
      if (row.fromMs >= slotsFromMs && row.fromMs < slotsToMs && matches(row, query)) sums.addRow(row)
    await addFolded(sums, ledger, { ...query, fromMs: slotsFromMs, toMs: slotsToMs }, { by, timeZone })
    // Retry: part of the tail was folded concurrently and would be counted twice.
    if ((await ledger.position()) === position) return sums.report()
  }
}

/** Adds the roll-ups of whole slots. */
async function addFolded(
  sums: ReportSums,
  ledger: Ledger,
  { fromMs, toMs, ...filter }: UsageQuery,
  { by, timeZone }: ReportShape,
): Promise<void> {
  const span = await ledger.span()
  if (!span) return
  const [startMs, endMs] = [Math.max(fromMs, span.fromMs), Math.min(toMs, span.toMs)]
  if (startMs >= endMs) return
  const days = by.includes('day') ? startsOfDays({ fromMs: startMs, toMs: endMs }, timeZone) : []
  // In an offset that no zone has, a day may start within a slot.
  const bounds = [...new Set([startMs, ...days.map(getSlotStart), endMs])]
  const columns = by.filter(name => name !== 'day')
  for (const { part, columns: values, ...totals } of await ledger.sum(planPieces(bounds), columns, filter))
    sums.add(bounds[part]!, values, totals)
}

/** Returns true if a filter includes the calls of a row. */
const matches = (row: UsageKey, { keyId, partnerId, operation, only }: UsageFilter): boolean =>
  (keyId === undefined || row.keyId === keyId) &&
  (partnerId === undefined || row.partnerId === partnerId) &&
  (operation === undefined || row.operation === operation) &&
  (only !== 'billable' || row.billable) &&
  (only !== 'defaultVersion' || !row.versionExplicit)

/** Returns a row for each call that arrived in the span, from the journals. */
async function readEdgeRows(records: NodeRecords, query: UsageQuery): Promise<UsageRow[]> {
  const { fromMs, toMs } = query
  const rows: UsageRow[] = []
  if (fromMs >= toMs) return rows
  for (const ofNode of await records(fromMs, toMs))
    for await (const record of ofNode) {
      const row = toUsageRow(record)
      if (matches(row, query)) rows.push(row)
    }
  return rows
}
