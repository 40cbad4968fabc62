export interface Subrating {
  readonly type: string
  readonly rating: number
  readonly count?: number
}

/** A location's ratings as they are served. `rating` has at most two decimals. */
export interface RatingSummary {
  readonly overall?: { readonly rating?: number; readonly count?: number }
  readonly subratings?: readonly Subrating[]
  /** How many ratings rounded to each of 1 to 5, best first. */
  readonly breakdowns?: readonly { readonly rating: number; readonly count: number }[]
  readonly languageCounts?: readonly { readonly language: string; readonly count: number }[]
}

/**
 * Running totals over a location's loaded reviews: exact under any order of additions and removals, because ratings
 * are summed as whole hundredths. Plain JSON; this is the stored form.
 */
export interface ReviewTotals {
  /** Reviews that carry a rating. */
  rated: number
  sumHundredths: number
  /** Counts of ratings that round to 1, 2, 3, 4, 5. */
  byRating: [number, number, number, number, number]
  /** Per subrating type: how many, and their sum in hundredths. */
  subratings: Record<string, [count: number, sumHundredths: number]>
  /** All reviews, rated or not. */
  reviews: number
  byLanguage: Record<string, number>
}

/** Totals of no reviews. */
export const noReviews = (): ReviewTotals => ({
  rated: 0,
  sumHundredths: 0,
  byRating: [0, 0, 0, 0, 0],
  subratings: {},
  reviews: 0,
  byLanguage: {},
})

/** The members of a review that totals count. */
interface CountedReview {
  /** 1 to 5. */
  readonly rating?: number
  /** BCP 47 tag of the original. */
  readonly language?: string
  readonly subratings?: readonly { readonly type: string; readonly rating: number }[]
}

/** Adds (`sign` 1) or takes out (`sign` -1) one review, in place. */
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

/** Hundredths to a rating with at most two decimals, half up. */
const meanOf = (sumHundredths: number, count: number): number => Math.floor(sumHundredths / count + 0.5) / 100

/**
 * overall, breakdowns and subratings come whole from the larger source, the rated reviews or the count that the
 * record brings; reviews win a tie. Languages come from loaded reviews where there are any. Undefined when empty.
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
