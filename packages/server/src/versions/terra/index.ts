import type { ParamSet } from '../primitives/param.ts'
import type { Version } from '../version.ts'
import { toTerraGeo } from './geo.ts'
import { toTerraCatalogLocation, toTerraLocation } from './location.ts'
import { toTerraPhoto } from './photo.ts'
import type {
  PresentedCatalogLocation,
  PresentedLocation,
  PresentedMatch,
  PresentedPhoto,
  PresentedReview,
} from './presented.ts'
import { toTerraReview } from './review.ts'
import { withLanguage } from './text.ts'

/** Photos per page of a request that does not say how many. */
const photosPerPage = '100'

/**
 * Returns version 1 in the form of the Terra profile: its requests with the defaults of Terra, and what its
 * presenters return in Terra's members and words. It has no field masks, which follow the schemas of a version.
 */
export function createTerra({ schemas: _, ...v1 }: Version): Version {
  const { read, present } = v1
  return {
    ...v1,
    params: withoutMasks(v1.params),
    read: {
      ...read,
      listReviews: query => read.listReviews({ language: 'en', ...query }),
      listPhotos: query =>
        read.listPhotos(
          query.size === undefined && query.limit === undefined ? { ...query, size: photosPerPage } : query,
        ),
    },
    present: {
      ...present,
      location: (entry, context) =>
        toTerraLocation(present.location(entry, context) as PresentedLocation, context.locales.length > 0),
      catalogLocation: (entry, context) =>
        toTerraCatalogLocation(
          present.catalogLocation(entry, context) as PresentedCatalogLocation,
          context.locales.length > 0,
        ),
      review: (review, of, options, context) =>
        toTerraReview(present.review(review, of, options, context) as PresentedReview),
      searchFields: hit => {
        const { matched_value: text } = present.searchFields(hit) as PresentedMatch
        return { matched_value: text && withLanguage(text) }
      },
      photo: (photo, of) => toTerraPhoto(photo as PresentedPhoto, of),
      geo: (location, ancestors) => toTerraGeo(location as PresentedLocation, ancestors),
      recommendationFields: reasons => ({ review_sources: [], ...definedOf(present.recommendationFields(reasons)) }),
    },
  }
}

const withoutMasks = (params: Version['params']): Version['params'] =>
  Object.fromEntries(Object.entries(params).map(([operation, set]) => [operation, withoutMask(set)]))

function withoutMask({ fields: _, ...rest }: ParamSet): ParamSet {
  return rest
}

/** Returns the members that have a value, so that others do not replace defaults. */
const definedOf = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
