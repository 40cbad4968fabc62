import { type Fault, fault } from '../../domain/fault.ts'
import { id, type ParamSet, type RawQuery, type Refusal, readParams, type Values } from '../primitives/param.ts'
import type { Version } from '../version.ts'
import { catalogLocation } from './catalog-location.ts'
import { location } from './location.ts'
import { params } from './params.ts'
import { review } from './review.ts'

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
  present: { location, catalogLocation, review },
}

function reading<S extends ParamSet, A>(set: S, query: RawQuery, toArgs: (values: Values<S>) => A): A | Fault {
  const read = readParams(set, query)
  if ('values' in read) return toArgs(read.values)
  return fault('parameters_invalid', {
    detail: read.errors.map(error => error.message).join(' '),
    fieldErrors: read.errors,
  })
}

const pathFault = (text: string, refusal: Refusal): Fault =>
  fault('parameters_invalid', {
    detail: `id ${refusal.message}.`,
    fieldErrors: [{ field: 'id', message: `id ${refusal.message}.`, rejectedValue: text.slice(0, 200) }],
  })
