import { journalStart } from '../../src/usage/journal-position.ts'
import { readJournal } from '../../src/usage/journal-reader.ts'
import { query } from '../databases.ts'
import type { Evidence, JournalledCall } from './evidence.ts'

/** Returns the calls in the journal of a node. */
async function readCalls(node: string, journal: string): Promise<JournalledCall[]> {
  const calls: JournalledCall[] = []
  for await (const { records, end } of readJournal(journal, journalStart)) {
    for (const { requestId, keyId, status, units, epoch, timeMs, durationUs, marks } of records) {
      const { tatUs = 0, windowStartMs = 0 } = marks[0] ?? {}
      const arrivalMs = timeMs - Math.ceil(durationUs / 1000)
      calls.push({
        ...{ node, end, requestId, keyId, status, units, epoch: epoch ?? -1, tatUs, windowStartMs },
        arrivalMs,
        endMs: timeMs,
      })
    }
  }
  return calls
}

/** Reads journals and ledger after all nodes have folded their calls. `journals` has the folders by node. */
export async function readEvidence(
  url: string,
  journals: ReadonlyMap<string, string>,
): Promise<Pick<Evidence, 'calls' | 'billed' | 'windows'>> {
  const calls = await Promise.all([...journals].map(([node, folder]) => readCalls(node, folder)))
  const billed = await query<{ key_id: string; calls: string; units: string }>(
    url,
    'SELECT key_id, sum(calls) AS calls, sum(units) AS units FROM usage_days WHERE status = 200 GROUP BY key_id',
  )
  const windows = await query<{ subject: string; window_start_ms: string; used: string; carried: string }>(
    url,
    "SELECT subject, window_start_ms, used, carried FROM limit_states WHERE bucket = 'package'",
  )
  return {
    calls: calls.flat(),
    billed: new Map(billed.map(row => [row.key_id, { calls: Number(row.calls), units: Number(row.units) }])),
    windows: windows.map(row => ({
      keyId: row.subject,
      windowStartMs: Number(row.window_start_ms),
      used: Number(row.used),
      carried: Number(row.carried),
    })),
  }
}
