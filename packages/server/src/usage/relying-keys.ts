import type { Ledger } from '../domain/ledger.ts'
import { openEnd } from '../domain/ledger.ts'
import type { RelyingKey } from '../domain/usage-report.ts'
import { readUsage } from './query.ts'

/** Returns the keys that have relied on the default version since `fromMs`, most calls first. */
export async function findRelyingKeys(journalFolder: string, ledger: Ledger, fromMs: number): Promise<RelyingKey[]> {
  const sums = new Map<string, RelyingKey>()
  for (const row of await readUsage(journalFolder, ledger, { fromMs, toMs: openEnd })) {
    if (row.versionExplicit) continue
    const { keyId, partnerId, version } = row
    const id = `${keyId} ${version}`
    sums.set(id, { keyId, partnerId, version, calls: (sums.get(id)?.calls ?? 0) + row.calls })
  }
  return [...sums.values()].sort((a, b) => b.calls - a.calls || (a.keyId < b.keyId ? -1 : 1))
}
