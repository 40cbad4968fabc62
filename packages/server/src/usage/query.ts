import type { FoldedFile, Ledger, UsageQuery, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { recordsBetween } from './detail.ts'
import { getSlotStart } from './slot.ts'
import { Sums, toUsageRow } from './sums.ts'
import { UnfoldedJournal } from './unfolded.ts'

/**
 * Returns all calls of a half-open span of time, summed by slot. Reads the roll-ups, the part of the journal that is not
 * folded yet, and the records of slots that the span covers only partly.
 */
export async function readUsage(folder: string, ledger: Ledger, query: UsageQuery): Promise<UsageRow[]> {
  const { fromMs, toMs } = query
  const slotsFromMs = getSlotStart(fromMs) === fromMs ? fromMs : findNextSlot(fromMs)
  const slotsToMs = getSlotStart(toMs)
  const matches = (key: { keyId: string; partnerId: string }) =>
    (query.keyId === undefined || key.keyId === query.keyId) &&
    (query.partnerId === undefined || key.partnerId === query.partnerId)
  const known = await ledger.files()
  const readEdge = (from: number, to: number) => readEdgeRows(folder, known, from, to, matches)
  if (slotsFromMs > slotsToMs) return readEdge(fromMs, toMs)

  const isInSlots = (row: UsageRow) => row.fromMs >= slotsFromMs && row.fromMs < slotsToMs && matches(row)
  for (;;) {
    const position = await ledger.position()
    const tail = new Sums()
    for await (const { records } of new UnfoldedJournal(folder, await ledger.files()).read()) tail.add(records)
    const folded = await ledger.slots({ ...query, fromMs: slotsFromMs, toMs: slotsToMs })
    // Retry: part of the tail was folded concurrently and would be counted twice.
    if ((await ledger.position()) !== position) continue
    const unfolded = tail.fold().rows.filter(isInSlots)
    return [...folded, ...unfolded, ...(await readEdge(fromMs, slotsFromMs)), ...(await readEdge(slotsToMs, toMs))]
  }
}

/** Returns a row for each call that arrived in the span, from the journal. */
async function readEdgeRows(
  folder: string,
  known: readonly FoldedFile[],
  fromMs: number,
  toMs: number,
  matches: (record: UsageRecord) => boolean,
): Promise<UsageRow[]> {
  const rows: UsageRow[] = []
  if (fromMs >= toMs) return rows
  for await (const record of recordsBetween(folder, fromMs, toMs, known))
    if (matches(record)) rows.push(toUsageRow(record))
  return rows
}

/** Returns the start of the next slot after `timeMs`; slots start on quarters of an hour. */
function findNextSlot(timeMs: number): number {
  const quarterMs = 900_000
  let at = Math.floor(timeMs / quarterMs) * quarterMs + quarterMs
  while (getSlotStart(at) !== at) at += quarterMs
  return at
}
