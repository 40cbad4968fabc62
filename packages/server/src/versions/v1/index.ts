import type { Fault } from '../../domain/fault.ts'
import { id, type Refusal } from '../primitives/param.ts'
import type { Version } from '../version.ts'
import { catalogLocation } from './catalog-location.ts'
import { location } from './location.ts'
import { params } from './params.ts'
import { readNearby, readSearch } from './read-search.ts'
import { invalid, reading } from './reading.ts'
import { review } from './review.ts'
import { nearbyFacts, searchFacts } from './search.ts'

const pathId = id({ description: 'Id of the location.' })

/** Version 1: stable, and frozen from release 1.0 on. */
export const v1: Version = {
  name: '1',
  read: {
    pathId: text => {
      const read = pathId.read([text])
      return typeof read === 'bigint' ? read : pathFault(text, read as Refusal)
    },
    getLocation: query => reading(params.getLocation, query, v => ({ locales: v.locale })),
    getLocations: query => reading(params.getLocations, query, v => ({ ids: v.ids, locales: v.locale })),
    getCatalogLocation: query => reading(params.getCatalogLocation, query, v => ({ locales: v.locale })),
    searchLocations: readSearch,
    nearbyLocations: readNearby,
    listReviews: query =>
      reading(params.listReviews, query, v => ({
        ...(v.language !== undefined && v.language !== 'primary' && { language: v.language }),
        originalsOnly: v.language === 'primary',
        ...(v.rating_min !== undefined && { ratingMin: v.rating_min }),
        ...(v.trip_type !== undefined && { tripType: v.trip_type }),
        ...(v.published_after_ts !== undefined && { publishedAfterMs: v.published_after_ts }),
        ...(v.published_after_review_id !== undefined && { publishedAfterReviewId: v.published_after_review_id }),
        sortBy: v.sort_by,
        page: v.page,
        size: v.size,
      })),
  },
  present: { location, catalogLocation, review, searchFacts, nearbyFacts },
}

const pathFault = (text: string, { message }: Refusal): Fault =>
  invalid([{ field: 'id', message: `id ${message}.`, rejectedValue: text.slice(0, 200) }])
