import { topLevelCategories } from '../../../domain/category.ts'
import { priceLevels, statusValues } from '../../../domain/location.ts'
import { tripTypes } from '../../../domain/review.ts'
import { choice, choices } from '../choice-params.ts'
import { externalId, externalIdList, id, optionalIds } from '../id-params.ts'
import { listCursorParam } from '../list-cursor.ts'
import { localeOr, locales } from '../locale-params.ts'
import { required, withDefault } from '../param.ts'
import { polygonParam } from '../polygon-param.ts'
import {
  booleanParam,
  countryCode,
  decimal,
  instant,
  integer,
  sessionName,
  text,
  timeOrClock,
  timeOrCursor,
} from '../single-params.ts'
import { repeatedTexts, textList } from '../text-list-params.ts'

const locale = locales({
  description: 'Languages of names and descriptions, in order of preference. Default: all languages.',
})

const session = sessionName({
  description:
    'Session of search-as-you-type: 16 to 64 letters, digits, - or _, chosen at random for each search of a user. One unit pays for its calls and for the location that ends it.',
})

const fields = textList({
  description:
    'Members of each location, review, category or suggestion to return, as a comma-separated list: `names,coordinates,traveler_ratings.overall`. A dot leads to a member of an object, or of the objects of a list. `id` is always returned; members that the description of the answer calls required may be missing. Default: all.',
  maximum: 50,
  length: 200,
})

const page = withDefault(integer({ minimum: 1, description: 'Page number; the first page is 1.' }), 1)
const cursor = listCursorParam({
  description:
    'Position at which a list continues: `pagination.cursor` of an answer, or the `cursor` of its `Link` header, with the same parameters. In place of `page`; valid for 7 days.',
})
const size = withDefault(integer({ minimum: 1, maximum: 20, description: 'Results per page.', aliases: ['limit'] }), 20)
const category = choices(topLevelCategories, { description: 'Return only places of these categories.' })

const categoryId = textList({
  description:
    'Return only places in one of these categories, or in one below them. `/categories` lists all ids: `pizzeria`.',
  maximum: 20,
  length: 200,
})
const attribute = repeatedTexts({
  description: 'Return only places with all of these attributes, by id, such as `cuisine.french`.',
  maximum: 20,
  length: 200,
})

const filters = {
  category,
  category_id: categoryId,
  attribute,
  status: choices(statusValues, { description: 'Return only places with these statuses.' }),
  min_rating: decimal({ minimum: 1, maximum: 5, description: 'Return only places with at least this rating.' }),
  price_level: choices(priceLevels, { description: 'Return only places of these price levels.' }),
  open_now: booleanParam({ description: 'Return only places that are known to be open now, in their local time.' }),
  open_at: timeOrClock({
    description:
      'Return only places that are known to be open at this time: a moment with its offset from UTC, or without an offset the time that clocks show at each place. Not with open_now.',
  }),
}

const latitude = (description: string, aliases: string[] = []) =>
  decimal({ minimum: -90, maximum: 90, description, aliases })
const longitude = (description: string, aliases: string[] = []) =>
  decimal({ minimum: -180, maximum: 180, description, aliases })
const lat = latitude('Latitude in degrees; requires lon.', ['latitude'])
const lon = longitude('Longitude in degrees; requires lat.', ['longitude', 'lng'])
const radius = decimal({
  minimum: 0,
  isPositive: true,
  maximum: 100,
  description: 'Maximum distance from the centre, in `unit`; at most 100 km.',
})
const unit = (of: string) =>
  withDefault(choice(['MI', 'KM'], { description: `Unit of ${of}: miles or kilometres.` }), 'MI')

const search = {
  // Sent unchanged: trailing whitespace marks the last word as complete.
  query: required(text({ maximum: 500, verbatim: true, description: 'Search text.', aliases: ['q'] })),
  search_type: choice(['NAME', 'ADDRESS', 'COMBINED'], {
    description: 'Search names, addresses or both. Default: names, and addresses if no place has all words.',
  }),
  country_code: countryCode({ description: 'Return only places in this country.' }),
  geo_name: text({ maximum: 200, description: 'Return only places in the city, region or country with this name.' }),
  postal_code: text({
    maximum: 40,
    description: 'Return only places with this postal code; takes precedence over geo_name.',
  }),
  ...filters,
  lat,
  lon,
  locale,
  fields,
  page,
  cursor,
  size,
}

const autocomplete = {
  // Sent unchanged: trailing whitespace marks the last word as complete.
  query: required(
    text({ maximum: 100, verbatim: true, description: 'The text typed so far.', aliases: ['input', 'q'] }),
  ),
  session,
  country_code: countryCode({ description: 'Return only places in this country.' }),
  category,
  category_id: categoryId,
  attribute,
  lat,
  lon,
  locale: locales({ description: 'Languages of the names, in order of preference. Default: the primary name.' }),
  size: withDefault(
    integer({ minimum: 1, maximum: 10, description: 'Maximum number of suggestions.', aliases: ['limit'] }),
    5,
  ),
  fields,
}

const nearby = {
  lat,
  lon,
  radius,
  unit: unit('`radius` and `width`'),
  location_id: id({ description: 'Id of the location at the centre.' }),
  sw_lat: latitude('Latitude of the south-western corner of a box; requires all four corner parameters.'),
  sw_lon: longitude('Longitude of the south-western corner of a box.'),
  ne_lat: latitude('Latitude of the north-eastern corner of a box.'),
  ne_lon: longitude(
    'Longitude of the north-eastern corner of a box; a box with ne_lon below sw_lon crosses the antimeridian.',
  ),
  polygon: polygonParam({
    description:
      'GeoJSON Polygon or MultiPolygon as text, with holes, of at most 500 positions; each position is longitude, latitude. An edge of more than 180 degrees of longitude crosses the antimeridian.',
  }),
  route: text({
    maximum: 15_000,
    verbatim: true,
    description: 'Line as an encoded polyline of 2 to 2,000 positions. Returns the places along it, within `width`.',
  }),
  route_precision: withDefault(
    integer({ minimum: 5, maximum: 6, description: 'Decimal places of the positions of `route`.' }),
    5,
  ),
  width: decimal({
    minimum: 0,
    isPositive: true,
    maximum: 100,
    description: 'Total width of the strip along `route`, in `unit`; at most 100 km. Default: 1.',
  }),
  ...filters,
  sort: choice(['distance,asc', 'rating,desc'], {
    description:
      'Sort order, nearest first or best rated first; short: `distance`, `rating`. Distance is that from the centre, from the centroid of a polygon, or from the line of a route; a box has none.',
    synonyms: { distance: 'distance,asc', rating: 'rating,desc' },
  }),
  locale,
  fields,
  page,
  cursor,
  size,
}

const candidates = integer({
  minimum: 1,
  maximum: 5,
  description: 'Maximum number of candidates of a record.',
  aliases: ['limit'],
})

/** Fields of a record to match. */
export const ownRecordParams = {
  name: required(text({ maximum: 300, description: 'Name of the place.' })),
  lat,
  lon,
  address: text({ maximum: 300, description: 'Street and number, or the whole address.' }),
  postal_code: text({ maximum: 40, description: 'Postal code.' }),
  city: text({ maximum: 200, description: 'City; requires country_code.' }),
  country_code: countryCode({ description: 'Country; candidates of other countries are left out.' }),
  phone: text({ maximum: 60, description: 'Phone number; its last nine digits are compared.' }),
  external_id: externalId({ description: 'Id of the place in another source, such as `wikidata:Q1492`.' }),
  category_id: text({ maximum: 100, description: 'Category of the place, such as `hotel` or `museum`.' }),
}

/** Query parameters of each operation, by operationId. */
export const params = {
  getLocation: { locale, fields, session },
  getLocations: {
    ids: optionalIds({
      description: 'Ids of the locations: a comma-separated list, a repeated parameter, or both.',
      aliases: ['id', 'ids[]'],
      maximum: 100,
    }),
    external_id: externalIdList({
      description:
        'Ids of the locations in other sources in place of `ids`, such as `wikidata:Q1492`, `iata:BCN`, or the source and source id of a record; repeat the parameter for several.',
      maximum: 100,
    }),
    locale,
    fields,
  },
  getCatalogLocation: { locale, fields },
  listReviews: {
    language: localeOr(['primary'], {
      description:
        'Return only reviews written in this language. If the location has no review in the requested region, the language without the region applies. `primary` returns original texts only, without translations.',
    }),
    rating_min: integer({ minimum: 1, maximum: 5, description: 'Return only reviews with at least this rating.' }),
    trip_type: choice(tripTypes, { description: 'Return only reviews of this type of trip.' }),
    published_after_ts: instant({ description: 'Return only reviews published after this date or time.' }),
    published_after_review_id: id({
      description: 'Return only reviews published after this review of the same location.',
    }),
    sort_by: withDefault(choice(['MOST_RECENT', 'HIGHEST_RATED'], { description: 'Sort order.' }), 'MOST_RECENT'),
    fields,
    page,
    cursor,
    size: withDefault(integer({ minimum: 1, maximum: 100, description: 'Reviews per page.', aliases: ['limit'] }), 20),
  },
  searchLocations: search,
  autocompleteLocations: autocomplete,
  searchCatalog: search,
  nearbyLocations: nearby,
  nearbyCatalog: nearby,
  matchLocation: {
    ...ownRecordParams,
    size: withDefault(candidates, 3),
    locale,
    fields,
  },
  matchLocations: { size: withDefault(candidates, 1), locale, fields },
  listCategories: {
    parent: text({ maximum: 200, description: 'Return only the categories directly below this one.' }),
    country_code: countryCode({ description: 'Count only places in this country.' }),
    locale: locales({ description: 'Languages of the names, in order of preference. Default: English.' }),
    fields,
  },
  listChanges: {
    since: required(
      timeOrCursor({
        description: 'Start of the changes: a date, a date-time, or the `cursor` of an earlier answer.',
        aliases: ['cursor'],
      }),
    ),
    size: withDefault(
      integer({ minimum: 1, maximum: 1000, description: 'Maximum number of locations.', aliases: ['limit'] }),
      100,
    ),
  },
  getGeo: {
    locale,
    fields,
    page,
    cursor,
    size: withDefault(integer({ minimum: 1, maximum: 100, description: 'Children per page.', aliases: ['limit'] }), 20),
  },
  listPhotos: {
    fields,
    page,
    cursor,
    size: withDefault(integer({ minimum: 1, maximum: 100, description: 'Photos per page.', aliases: ['limit'] }), 20),
  },
  searchRecommendations: {
    query: required(
      text({
        maximum: 500,
        description: 'The request in plain words, such as "romantic dinner with a view in Madrid".',
        aliases: ['q'],
      }),
    ),
    geo_id: id({ description: 'Id of the area to search in.' }),
    geo_name: text({ maximum: 200, description: 'Name of the area to search in.' }),
    lat,
    lon,
    radius,
    unit: unit('`radius`'),
    category,
    category_id: categoryId,
    attribute,
    trip_type: choice(tripTypes, { description: 'Type of trip.' }),
    exclude_location_ids: optionalIds({ description: 'Ids of locations to exclude.', maximum: 100 }),
    locale,
    fields,
    limit: withDefault(
      integer({ minimum: 1, maximum: 20, description: 'Maximum number of results.', aliases: ['size'] }),
      5,
    ),
  },
}
