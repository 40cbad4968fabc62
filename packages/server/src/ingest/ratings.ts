import type { RatingSummary, Subrating } from '../domain/ratings.ts'
import { parseSubratingType } from '../domain/subratings.ts'
import { compact, type FieldReader } from './field-reader.ts'
import { readLanguage } from './texts.ts'

/** Reads the rating summary of the record: nested `traveler_ratings`, or `rating`, `review_count` and `subratings`. */
export function readOwnRatings(fields: FieldReader): RatingSummary | undefined {
  const nested = fields.object('traveler_ratings')
  return nested ? readNestedRatings(nested) : readFlatRatings(fields)
}

function readFlatRatings(fields: FieldReader): RatingSummary | undefined {
  return compact<RatingSummary>({
    overall: toOverall(readRating(fields, 'rating'), fields.count('review_count')),
    subratings: readSubratings(fields),
    breakdowns: undefined,
    languageCounts: undefined,
  })
}

function readNestedRatings(fields: FieldReader): RatingSummary | undefined {
  const overall = fields.object('overall')
  // v0 has these members inside `overall` (SPEC §9.5).
  const parentOf = (name: string) => (fields.has(name) || !overall ? fields : overall)
  return compact<RatingSummary>({
    overall: overall && toOverall(readRating(overall, 'rating'), overall.count('count')),
    subratings: readSubratings(parentOf('subratings')),
    breakdowns: parentOf('breakdowns').objects('breakdowns', item => {
      const rating = item.numberWithin('rating', 1, 5, 'rating_out_of_range')
      const count = item.count('count')
      return rating === undefined || count === undefined ? undefined : { rating, count }
    }),
    languageCounts: parentOf('language_counts').objects('language_counts', item => {
      const language = readLanguage(item, 'language')
      const count = item.count('count')
      return language === undefined || count === undefined ? undefined : { language, count }
    }),
  })
}

function toOverall(rating: number | undefined, count: number | undefined): RatingSummary['overall'] {
  // A place without reviews has no summary rather than a summary of zero.
  if (rating === undefined && !count) return undefined
  return { ...(rating !== undefined && { rating }), ...(count !== undefined && { count }) }
}

/**
 * Reads a rating from 0 to 5, rounded half up to two decimals. 0 means unrated, because many sources use it that
 * way.
 */
export function readRating(fields: FieldReader, name: string): number | undefined {
  const rating = fields.numberWithin(name, 0, 5, 'rating_out_of_range')
  return rating === undefined || rating === 0 ? undefined : roundHalfUp(rating)
}

/** Rounds by the decimal digits: 1.005 becomes 1.01 although the double is slightly smaller. */
const roundHalfUp = (rating: number): number => Math.floor(Number((rating * 100).toFixed(8)) + 0.5) / 100

/** Reads subratings written as {type: value} or as [{type, rating, count}]. */
export function readSubratings(fields: FieldReader): Subrating[] | undefined {
  if (Array.isArray(fields.raw('subratings'))) {
    return fields.objects('subratings', item => {
      const text = item.text('type')
      return toSubrating(item, text, readRating(item, 'rating'), item.count('count'))
    })
  }
  const nested = fields.object('subratings')
  const names = Object.keys((fields.raw('subratings') as object | undefined) ?? {})
  const subratings = names
    .map(name => nested && toSubrating(nested, name, readRating(nested, name), undefined))
    .filter(subrating => subrating !== undefined)
  return subratings.length > 0 ? subratings : undefined
}

function toSubrating(
  fields: FieldReader,
  text: string | undefined,
  rating: number | undefined,
  count: number | undefined,
): Subrating | undefined {
  const type = text === undefined ? undefined : parseSubratingType(text)
  if (type === undefined && text !== undefined) fields.note('unknown_subrating_type')
  if (type === undefined || rating === undefined) return undefined
  return { type, rating, ...(count !== undefined && { count }) }
}
