import type { FaultCode } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import type { RefusalHour } from '../domain/refusal-hours.ts'
import { hourMs } from '../kit/time.ts'

/**
 * Counts calls of known keys that are refused before metering, by key, hour, code and version, until they are handed
 * over.
 */
export class RefusalCounts {
  #rows = new Map<string, RefusalHour>()

  /** Counts a refusal; `version` is that of the request, or `''` if the request does not name an existing version. */
  count({ id, partnerId }: Pick<Key, 'id' | 'partnerId'>, code: FaultCode, version: string, nowMs: number): void {
    const row = { partnerId, keyId: id, hourMs: nowMs - (nowMs % hourMs), code, version, calls: 1, lastMs: nowMs }
    this.#add(row)
  }

  /** Returns the counts and starts again from zero. */
  drain(): readonly RefusalHour[] {
    const rows = [...this.#rows.values()]
    this.#rows = new Map()
    return rows
  }

  /** Adds counts that could not be handed over. */
  restore(rows: readonly RefusalHour[]): void {
    for (const row of rows) this.#add(row)
  }

  #add(row: RefusalHour): void {
    const id = `${row.keyId}\t${row.hourMs}\t${row.code}\t${row.version}`
    const known = this.#rows.get(id)
    if (!known) this.#rows.set(id, row)
    else
      this.#rows.set(id, {
        ...known,
        calls: known.calls + row.calls,
        lastMs: Math.max(known.lastMs, row.lastMs),
      })
  }
}
