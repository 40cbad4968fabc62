import type { Ledger, UsageQuery, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { recordsBetween } from './detail.ts'
import { rowOf, Sums } from './fold.ts'
import { readJournal } from './journal-reader.ts'
import { positionOf } from './position.ts'
import { slotOf } from './slot.ts'

/**
 * Every call of a half-open span of time, summed by slot: from the roll-ups, from what is journalled but not yet
 * folded, and, where the span cuts through a slot, from the detail.
 */
export async function usageRows(folder: string, ledger: Ledger, query: UsageQuery): Promise<UsageRow[]> {
  const { fromMs, toMs } = query
  const firstWhole = slotOf(fromMs) === fromMs ? fromMs : nextSlot(fromMs)
  const endOfWhole = slotOf(toMs)
  const mine = (key: { keyId: string; partnerId: string }) =>
    (query.keyId === undefined || key.keyId === query.keyId) &&
    (query.partnerId === undefined || key.partnerId === query.partnerId)
  const edge = (from: number, to: number) => edgeRows(folder, from, to, mine)
  if (firstWhole > endOfWhole) return edge(fromMs, toMs)

  const inWhole = (row: UsageRow) => row.fromMs >= firstWhole && row.fromMs < endOfWhole && mine(row)
  for (;;) {
    const position = await ledger.position()
    const from = positionOf(position)
    const tail = new Sums(from)
    for await (const batch of readJournal(folder, from)) tail.add(batch)
    const whole = await ledger.slots({ ...query, fromMs: firstWhole, toMs: endOfWhole })
    // After a fold in between, the tail would be counted twice.
    if ((await ledger.position()) !== position) continue
    const unfolded = tail.fold().rows.filter(inWhole)
    return [...whole, ...unfolded, ...(await edge(fromMs, firstWhole)), ...(await edge(endOfWhole, toMs))]
  }
}

/** From the detail: what arrived in the span, a row for each call. */
async function edgeRows(folder: string, fromMs: number, toMs: number, mine: (record: UsageRecord) => boolean) {
  const rows: UsageRow[] = []
  if (fromMs >= toMs) return rows
  for await (const record of recordsBetween(folder, fromMs, toMs)) if (mine(record)) rows.push(rowOf(record))
  return rows
}

/** The start of the slot after the one of a moment; slots begin on whole quarters of an hour. */
function nextSlot(timeMs: number): number {
  const quarterMs = 900_000
  let at = Math.floor(timeMs / quarterMs) * quarterMs + quarterMs
  while (slotOf(at) !== at) at += quarterMs
  return at
}
