export interface Subrating {
  readonly type: string
  readonly rating: number
  readonly count?: number
}

/** The served ratings of a location. `rating` has at most two decimals. */
export interface RatingSummary {
  readonly overall?: { readonly rating?: number; readonly count?: number }
  readonly subratings?: readonly Subrating[]
  /** Number of ratings that round to each of 5 to 1, in this order. */
  readonly breakdowns?: readonly { readonly rating: number; readonly count: number }[]
  readonly languageCounts?: readonly { readonly language: string; readonly count: number }[]
}

/**
 * Running totals over the imported reviews of a location. Exact for any order of additions and removals, because
 * ratings are summed as whole hundredths. Stored as JSON.
 */
export interface ReviewTotals {
  /** Number of reviews with a rating. */
  rated: number
  sumHundredths: number
  /** Numbers of ratings that round to 1, 2, 3, 4 and 5. */
  byRating: [number, number, number, number, number]
  /** Count and sum in hundredths, by subrating type. */
  subratings: Record<string, [count: number, sumHundredths: number]>
  /** Number of reviews with or without a rating. */
  reviews: number
  byLanguage: Record<string, number>
}

/** Returns totals of zero reviews. */
export const emptyTotals = (): ReviewTotals => ({
  rated: 0,
  sumHundredths: 0,
  byRating: [0, 0, 0, 0, 0],
  subratings: {},
  reviews: 0,
  byLanguage: {},
})

/** The members of a review that contribute to totals. */
interface CountedReview {
  /** 1 to 5. */
  readonly rating?: number
  /** BCP 47 tag of the original. */
  readonly language?: string
  readonly subratings?: readonly { readonly type: string; readonly rating: number }[]
}

/** Adds (`sign` 1) or subtracts (`sign` -1) one review, in place. */
export function countReview(totals: ReviewTotals, review: CountedReview, sign: 1 | -1): void {
  totals.reviews += sign
  if (review.language !== undefined) bump(totals.byLanguage, review.language, sign)
  if (review.rating !== undefined) {
    const bucket = (Math.min(5, Math.max(1, Math.floor(review.rating + 0.5))) - 1) as 0 | 1 | 2 | 3 | 4
    totals.rated += sign
    totals.sumHundredths += sign * Math.round(review.rating * 100)
    totals.byRating[bucket] += sign
  }
  for (const { type, rating } of review.subratings ?? []) {
    const [count, sum] = Object.hasOwn(totals.subratings, type) ? totals.subratings[type]! : [0, 0]
    if (count + sign <= 0) delete totals.subratings[type]
    else totals.subratings[type] = [count + sign, sum + sign * Math.round(rating * 100)]
  }
}

function bump(counts: Record<string, number>, key: string, by: number): void {
  const next = (Object.hasOwn(counts, key) ? counts[key]! : 0) + by
  if (next <= 0) delete counts[key]
  else counts[key] = next
}

/** Returns the mean with at most two decimals, rounded half up. */
const meanOf = (sumHundredths: number, count: number): number => Math.floor(sumHundredths / count + 0.5) / 100

/**
 * Returns the served ratings. Overall rating, breakdowns and subratings come from the source with more
 * ratings: the imported reviews or the record itself; reviews win a tie. Language counts come from imported reviews if
 * there are any. Returns undefined if no ratings remain.
 */
export function summarise(own: RatingSummary | undefined, totals: ReviewTotals | undefined): RatingSummary | undefined {
  const fromReviews = totals !== undefined && totals.rated > 0 && totals.rated >= (own?.overall?.count ?? 0)
  const main = fromReviews ? summaryOf(totals) : own
  const languageCounts = totals && totals.reviews > 0 ? languagesOf(totals) : own?.languageCounts
  const summary = {
    ...(main?.overall && { overall: main.overall }),
    ...(main?.subratings && { subratings: main.subratings }),
    ...(main?.breakdowns && { breakdowns: main.breakdowns }),
    ...(languageCounts?.length && { languageCounts }),
  }
  return Object.keys(summary).length > 0 ? summary : undefined
}

function summaryOf(totals: ReviewTotals): RatingSummary {
  const subratings = Object.entries(totals.subratings)
    .map(([type, [count, sum]]) => ({ type, rating: meanOf(sum, count), count }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
  const breakdowns = [5, 4, 3, 2, 1].map(rating => ({ rating, count: totals.byRating[rating - 1]! }))
  return {
    overall: { rating: meanOf(totals.sumHundredths, totals.rated), count: totals.rated },
    ...(subratings.length > 0 && { subratings }),
    breakdowns,
  }
}

function languagesOf(totals: ReviewTotals): { language: string; count: number }[] {
  return Object.entries(totals.byLanguage)
    .map(([language, count]) => ({ language, count }))
    .sort((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1))
}

/** Returns true if two totals are equal, whatever the order of their members. */
export const sameTotals = (a: ReviewTotals, b: ReviewTotals): boolean =>
  JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))

const ordered = (totals: ReviewTotals) => ({
  ...totals,
  subratings: Object.entries(totals.subratings).sort(),
  byLanguage: Object.entries(totals.byLanguage).sort(),
})
