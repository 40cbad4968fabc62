import type { Key } from '../../domain/key.ts'
import { forEachBucket } from '../../domain/limit-bucket.ts'
import { getSubject } from '../../domain/limit-subject.ts'
import type { RequestLog } from '../../domain/request-log.ts'
import { dayMs } from '../../kit/time.ts'

/** The second with the most admitted calls. */
export interface PeakSecond {
  /** Start of the second, in milliseconds since 1970. */
  readonly secondMs: number
  readonly calls: number
}

/** The peak of each rate of a key; missing without calls. Keys that share limits have the same ones. */
export interface RatePeaks {
  readonly rate?: PeakSecond
  readonly searchRate?: PeakSecond
  readonly autocompleteRate?: PeakSecond
}

/** Period in which peaks are sought, in milliseconds. */
const peakPeriodMs = 30 * dayMs

/** Returns the peaks of the last 30 days by key, as far as the request log reaches. The actor must see the keys. */
export async function peakRates(
  { requests }: { readonly requests: RequestLog },
  keys: readonly Key[],
  nowMs: number,
): Promise<ReadonlyMap<string, RatePeaks>> {
  const subjects = [...new Set(keys.map(getSubject))]
  const found = await requests.peakRates({ subjects, fromMs: nowMs - peakPeriodMs })
  const peakOf = (subject: string, bucket: string) =>
    found.find(peak => peak.subject === subject && peak.bucket === bucket)
  return new Map(
    keys.map(key => {
      const { package: rate, search: searchRate, autocomplete } = forEachBucket(of => peakOf(getSubject(key), of))
      return [
        key.id,
        {
          ...(rate && { rate }),
          ...(searchRate && { searchRate }),
          ...(autocomplete && { autocompleteRate: autocomplete }),
        },
      ]
    }),
  )
}
