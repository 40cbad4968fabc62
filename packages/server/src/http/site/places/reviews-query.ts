import { parseLocale } from '../../../domain/locale.ts'
import { type TripType, tripTypes } from '../../../domain/review.ts'
import { createParameterReader } from './url-parameters.ts'

/** The last page that can be opened. */
export const maxPage = 999

/** The state of a page of reviews, as its URL has it. */
export interface ReviewsQuery {
  readonly language?: string
  readonly rating?: number
  readonly tripType?: TripType
  readonly sort: 'newest' | 'rating'
  readonly page: number
  /** Names of parameters whose values were not understood. */
  readonly ignored: readonly string[]
}

/** Reads the parameters of a page of reviews. Wrong values are left out, and their parameters are listed. */
export function readReviewsQuery(parameters: URLSearchParams): ReviewsQuery {
  const ignored: string[] = []
  const read = createParameterReader(parameters, ignored)
  const language = read('language', parseLocale)
  const rating = read('rating', value => (/^[1-5]$/.test(value) ? Number(value) : undefined))
  const tripType = read('trip_type', value => tripTypes.find(type => type === value.toUpperCase()))
  const sort = read('sort', value => (value === 'newest' || value === 'rating' ? value : undefined)) ?? 'newest'
  const page = read('page', value => (/^[1-9]\d{0,2}$/.test(value) ? Math.min(maxPage, Number(value)) : undefined)) ?? 1
  return {
    ...(language !== undefined && { language }),
    ...(rating !== undefined && { rating }),
    ...(tripType !== undefined && { tripType }),
    sort,
    page,
    ignored,
  }
}
