import type { Ledger } from '../domain/ledger.ts'
import { openEnd } from '../domain/ledger.ts'
import type { RelyingKey } from '../domain/usage-report.ts'
import type { JournalReader } from './journal-reader.ts'
import { sumUsage } from './query.ts'

/** Returns the keys that have relied on the default version since `fromMs`, most calls first. */
export async function findRelyingKeys(journal: JournalReader, ledger: Ledger, fromMs: number): Promise<RelyingKey[]> {
  const query = { fromMs, toMs: openEnd, only: 'defaultVersion' as const }
  const by = ['key', 'partner', 'version'] as const
  const { rows } = await sumUsage(journal, ledger, query, { by, timeZone: 'UTC' })
  return rows
    .map(row => ({
      keyId: String(row.key),
      partnerId: String(row.partner),
      version: String(row.version),
      calls: row.calls,
    }))
    .sort((a, b) => b.calls - a.calls || (a.keyId < b.keyId ? -1 : 1))
}
