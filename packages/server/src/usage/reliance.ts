import type { Ledger } from '../domain/ledger.ts'
import { openEnd } from '../domain/ledger.ts'
import { usageRows } from './query.ts'

/** Calls of a key that named no version, and the version that they got. */
export interface Reliance {
  readonly keyId: string
  readonly partnerId: string
  readonly version: string
  readonly calls: number
}

/** The keys that have relied on the default version since a moment, the busiest first. */
export async function reliance(journalFolder: string, ledger: Ledger, fromMs: number): Promise<Reliance[]> {
  const sums = new Map<string, Reliance>()
  for (const row of await usageRows(journalFolder, ledger, { fromMs, toMs: openEnd })) {
    if (row.versionExplicit) continue
    const { keyId, partnerId, version } = row
    const id = `${keyId} ${version}`
    sums.set(id, { keyId, partnerId, version, calls: (sums.get(id)?.calls ?? 0) + row.calls })
  }
  return [...sums.values()].sort((a, b) => b.calls - a.calls || (a.keyId < b.keyId ? -1 : 1))
}
