import type { Review } from '../../domain/review.ts'
import type { ReviewScan } from '../../domain/review-list.ts'
import type { FullReviewRow } from './review-row.ts'

/** Returns false for rows that cannot match, without parsing them. */
export function mayMatch({ user_key: key, record }: FullReviewRow, { user, text }: ReviewScan): boolean {
  if (user !== undefined && key !== user) return false
  return text === undefined || record.toLowerCase().includes(JSON.stringify(text.toLowerCase()).slice(1, -1))
}

/** Returns true if a title or text contains the wanted text, in any case. */
export const matchesText = ({ title = [], text = [] }: Review, wanted: string | undefined): boolean =>
  wanted === undefined || [...title, ...text].some(({ value }) => value.toLowerCase().includes(wanted.toLowerCase()))
