import type { RecordKind } from '../../domain/stores.ts'

/** How a record kind is stored. */
export const kindNumber: Readonly<Record<RecordKind, 1 | 2>> = { location: 1, review: 2 }

/** The reverse of `kindNumber`. */
export const kindOfNumber = (no: number): RecordKind => (no === 1 ? 'location' : 'review')

/** What stands in `published_ms` for a review without a date: it sorts behind all others. */
export const undatedMs = -Number.MAX_SAFE_INTEGER
