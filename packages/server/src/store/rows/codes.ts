import type { RecordKind } from '../../domain/record-write.ts'

/** The number under which a record kind is stored. */
export const kindNumber: Readonly<Record<RecordKind, 1 | 2>> = { location: 1, review: 2 }

/** Returns the record kind of a stored number. */
export const kindOfNumber = (number: number): RecordKind => (number === 1 ? 'location' : 'review')

/** Value of `published_ms` for a review without a date, which sorts after all others. */
export const undatedMs = -Number.MAX_SAFE_INTEGER
