import type { Fault } from '../../../domain/fault.ts'
import type { Version } from '../../version.ts'
import { id } from '../id-params.ts'
import type { InvalidParameter } from '../param.ts'
import { params } from './params.ts'
import { invalidParameters, readArgs } from './read-args.ts'
import { readAutocomplete } from './read-autocomplete.ts'
import { readLocations } from './read-locations.ts'
import { readMatch, readOwnRecord } from './read-match.ts'
import { readRecommendations } from './read-recommendations.ts'
import { readNearby, readSearch } from './read-search.ts'

const pathId = id({ description: 'Id of the location.' })

/**
 * Request parameters and their parsers, shared by all current versions, which differ in responses only (SPEC §9.5). A
 * version that changes a parameter defines its own set instead.
 */
export const requests: Pick<Version, 'params' | 'pathId' | 'read'> = {
  params,
  pathId,
  read: {
    pathId: text => {
      const read = pathId.read([text])
      return typeof read === 'bigint' ? read : pathFault(text, read as InvalidParameter)
    },
    getLocation: query =>
      readArgs(params.getLocation, query, v => ({
        locales: v.locale,
        ...(v.session !== undefined && { session: v.session }),
      })),
    getLocations: readLocations,
    getCatalogLocation: query => readArgs(params.getCatalogLocation, query, v => ({ locales: v.locale })),
    searchLocations: readSearch,
    autocompleteLocations: readAutocomplete,
    nearbyLocations: readNearby,
    matchLocation: readMatch,
    matchLocations: query => readArgs(params.matchLocations, query, v => ({ limit: v.size, locales: v.locale })),
    ownRecord: readOwnRecord,
    searchRecommendations: readRecommendations,
    listCategories: query =>
      readArgs(params.listCategories, query, v => ({
        ...(v.parent !== undefined && { parent: v.parent }),
        ...(v.country_code !== undefined && { countryCode: v.country_code }),
        locales: v.locale,
      })),
    listChanges: query => readArgs(params.listChanges, query, v => ({ since: v.since, limit: v.size })),
    getGeo: query =>
      readArgs(params.getGeo, query, v => ({
        locales: v.locale,
        page: v.page,
        ...(v.cursor && { cursor: v.cursor }),
        size: v.size,
      })),
    listPhotos: query =>
      readArgs(params.listPhotos, query, v => ({ page: v.page, ...(v.cursor && { cursor: v.cursor }), size: v.size })),
    listReviews: query =>
      readArgs(params.listReviews, query, v => ({
        ...(v.language !== undefined && v.language !== 'primary' && { language: v.language }),
        originalsOnly: v.language === 'primary',
        ...(v.rating_min !== undefined && { ratingMin: v.rating_min }),
        ...(v.trip_type !== undefined && { tripType: v.trip_type }),
        ...(v.published_after_ts !== undefined && { publishedAfterMs: v.published_after_ts }),
        ...(v.published_after_review_id !== undefined && { publishedAfterReviewId: v.published_after_review_id }),
        sortBy: v.sort_by,
        page: v.page,
        ...(v.cursor && { cursor: v.cursor }),
        size: v.size,
      })),
  },
}

const pathFault = (text: string, { message }: InvalidParameter): Fault =>
  invalidParameters([{ field: 'id', message: `id ${message}.`, rejectedValue: text.slice(0, 200) }])
