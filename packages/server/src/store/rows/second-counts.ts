import type { JournalCall } from '../../domain/journal-call.ts'
import { autocompleteOperation, searchOperations } from '../../domain/operation.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { dayMs, hourMs } from '../../kit/time.ts'

/** Seconds are kept until the newest call of their subject is this much later: a call is recorded when it ends. */
export const keptSecondsMs = hourMs
/** Retention of peaks; small, so that it does not follow the retention of the calls. */
export const keptPeaksMs = 31 * dayMs

/** The admitted calls of one second, by a subject and bucket of limits. */
export interface SecondCount {
  readonly subject: string
  readonly bucket: string
  readonly secondMs: number
  calls: number
}

/** Counts the admitted calls of each second. */
export class SecondCounts {
  #counts = new Map<string, SecondCount>()
  #latest:
    | { readonly terms: UsageRecord; readonly secondMs: number; readonly counts: readonly SecondCount[] }
    | undefined

  add({ terms, timeMs }: JournalCall): void {
    const latest = this.#latest
    const isLatest = latest?.terms === terms && timeMs >= latest.secondMs && timeMs < latest.secondMs + 1000
    if (!isLatest) {
      const secondMs = timeMs - (timeMs % 1000)
      const counts = bucketsOf(terms).map(bucket =>
        this.#counts.getOrInsertComputed(`${secondMs} ${bucket} ${terms.subject}`, () => ({
          subject: terms.subject,
          bucket,
          secondMs,
          calls: 0,
        })),
      )
      this.#latest = { terms, secondMs, counts }
    }
    for (const count of this.#latest!.counts) count.calls++
  }

  /** Returns the counts since the last call. */
  take(): SecondCount[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    this.#latest = undefined
    return counts
  }
}

/** Returns the buckets from which a call was taken. Records of some calls have no states of limits. */
function bucketsOf({ marks, status, operation }: UsageRecord): readonly string[] {
  if (status === 429) return []
  if (operation === autocompleteOperation) return status >= 400 && marks.length === 0 ? [] : ['autocomplete']
  if (marks.length > 0) return marks.map(({ bucket }) => bucket)
  return status >= 400 ? [] : [searchOperations.includes(operation) ? 'search' : 'package']
}
