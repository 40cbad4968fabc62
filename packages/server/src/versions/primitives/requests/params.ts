import { topLevelCategories } from '../../../domain/category.ts'
import { priceLevels, statusValues } from '../../../domain/location.ts'
import { tripTypes } from '../../../domain/review.ts'
import {
  choice,
  choices,
  countryCode,
  decimal,
  flag,
  id,
  idList,
  instant,
  integer,
  localeOr,
  locales,
  optionalIds,
  required,
  text,
  withDefault,
} from '../param.ts'

const locale = locales({
  description: 'Languages to show names and descriptions in, in order of preference; all of them when left out.',
})

const page = withDefault(integer({ minimum: 1, description: 'The page, from 1.' }), 1)
const size = withDefault(integer({ minimum: 1, maximum: 20, description: 'Results per page.', aliases: ['limit'] }), 20)
const category = choices(topLevelCategories, { description: 'Only places of these categories.' })

const filters = {
  category,
  status: choices(statusValues, { description: 'Only places with these statuses.' }),
  min_rating: decimal({ minimum: 1, maximum: 5, description: 'Only places rated at least so.' }),
  price_level: choices(priceLevels, { description: 'Only places of these price levels.' }),
  open_now: flag({ description: 'Only places that are known to be open now, by their own clocks.' }),
}

const latitude = (description: string, aliases: string[] = []) =>
  decimal({ minimum: -90, maximum: 90, description, aliases })
const longitude = (description: string, aliases: string[] = []) =>
  decimal({ minimum: -180, maximum: 180, description, aliases })
const lat = latitude('Latitude in degrees; goes with lon.', ['latitude'])
const lon = longitude('Longitude in degrees; goes with lat.', ['longitude', 'lng'])
const radius = decimal({ minimum: 0, maximum: 100, description: 'How far from the centre, in `unit`; at most 100 km.' })
const unit = withDefault(choice(['MI', 'KM'], { description: 'Miles or kilometres.' }), 'MI')

const search = {
  // A blank at its end says that the last word is finished.
  query: required(text({ maximum: 500, asSent: true, description: 'What is looked for.', aliases: ['q'] })),
  search_type: withDefault(
    choice(['NAME', 'ADDRESS', 'COMBINED'], { description: 'Whether names, addresses or both are searched.' }),
    'NAME',
  ),
  country_code: countryCode({ description: 'Only places in this country.' }),
  geo_name: text({ maximum: 200, description: 'Only places in the city, region or country of this name.' }),
  postal_code: text({ maximum: 40, description: 'Only places with this postal code; wins over geo_name.' }),
  ...filters,
  lat,
  lon,
  locale,
  page,
  size,
}

const nearby = {
  lat,
  lon,
  radius,
  unit,
  location_id: id({ description: 'The centre is this location.' }),
  sw_lat: latitude('South-western corner of a box.'),
  sw_lon: longitude('South-western corner of a box.'),
  ne_lat: latitude('North-eastern corner of a box.'),
  ne_lon: longitude('North-eastern corner of a box; below sw_lon it crosses the antimeridian.'),
  ...filters,
  sort: choice(['distance,asc', 'rating,desc'], { description: 'The order; distance needs a centre.' }),
  locale,
  page,
  size,
}

/** The query parameters of each operation, by operationId. */
export const params = {
  getLocation: { locale },
  getLocations: {
    ids: idList({
      description: 'Ids of the locations: a comma list, a repeated parameter, or both.',
      aliases: ['id', 'ids[]'],
      maximum: 100,
    }),
    locale,
  },
  getCatalogLocation: { locale },
  listReviews: {
    language: localeOr(['primary'], {
      description: 'Only reviews written in this language; `primary` shows originals only.',
    }),
    rating_min: integer({ minimum: 1, maximum: 5, description: 'Only reviews with at least this rating.' }),
    trip_type: choice(tripTypes, { description: 'Only reviews of this kind of trip.' }),
    published_after_ts: instant({ description: 'Only reviews published after this moment.' }),
    published_after_review_id: id({ description: 'Only reviews published after this review of the same location.' }),
    sort_by: withDefault(choice(['MOST_RECENT', 'HIGHEST_RATED'], { description: 'The order.' }), 'MOST_RECENT'),
    page,
    size: withDefault(integer({ minimum: 1, maximum: 100, description: 'Reviews per page.', aliases: ['limit'] }), 20),
  },
  searchLocations: search,
  searchCatalog: search,
  nearbyLocations: nearby,
  nearbyCatalog: nearby,
  searchRecommendations: {
    query: required(text({ maximum: 500, description: 'What is wished for, in plain words.', aliases: ['q'] })),
    geo_id: id({ description: 'The place to look in, by id.' }),
    geo_name: text({ maximum: 200, description: 'The place to look in, by name.' }),
    lat,
    lon,
    radius,
    unit,
    category,
    trip_type: choice(tripTypes, { description: 'The kind of trip.' }),
    exclude_location_ids: withDefault(
      optionalIds({ description: 'Locations that are not to be recommended.', maximum: 100 }),
      [],
    ),
    locale,
    limit: withDefault(integer({ minimum: 1, maximum: 20, description: 'How many results.', aliases: ['size'] }), 5),
  },
}
