import { topLevelCategories } from '../../domain/category.ts'
import { priceLevels, statusValues } from '../../domain/location.ts'
import { daysOfWeek } from '../../domain/opening-hours.ts'
import {
  closedObject,
  count,
  date,
  describedRef,
  flag,
  int64Id,
  listOf,
  number,
  oneOf,
  optional,
  ref,
  string,
} from '../primitives/schema.ts'

const language = optional(
  string('Language tag with an underscore before the region, such as es_MX; absent if unknown.'),
)

const LocalizedText = closedObject(
  {
    language,
    value: string('The text.'),
    primary: flag('True for the primary name or the original text.'),
  },
  'A text in one language.',
)

const PlainText = closedObject({ language, value: string('The text.') }, 'A description in one language.')

const Status = closedObject(
  {
    value: oneOf(statusValues, 'State of the location. An enumeration from v1 on; a free-form string in v0.'),
    closed_date: optional(date('Date on which it closed; present if applicable.')),
    reopen_date: optional(date('Date on which it is expected to reopen; present if applicable.')),
  },
  'Operating status of the location.',
)

const Address = closedObject(
  {
    language,
    street_address: optional(string('Street and number.')),
    street_address2: optional(string('Second line of the street address.')),
    city: optional(string('City.')),
    state: optional(string('State, region or province.')),
    postal_code: optional(string('Postal code.')),
    country_name: optional(string('Name of the country.')),
    country_code: optional(string('ISO 3166-1 alpha-2 code of the country.')),
    formatted: optional(string('The complete address as one string.')),
  },
  'A postal address.',
)

const Coordinates = closedObject(
  {
    latitude: number('Degrees, north positive.', { minimum: -90, maximum: 90 }),
    longitude: number('Degrees, east positive.', { minimum: -180, maximum: 180 }),
  },
  'WGS 84 coordinates.',
)

const Category = closedObject(
  {
    id: string('Key of the category.'),
    display_name: string('Human-readable name.'),
    hierarchy: optional(listOf(string('Name.'), 'Names of the categories from the top of the tree down to this one.')),
    top_level_category: oneOf(topLevelCategories, 'Top-level category.'),
  },
  'A category of the place.',
)

const Attribute = closedObject(
  {
    id: string('Key of the attribute.'),
    name: string('Human-readable name.'),
    type: optional(string('Name of the attribute group.')),
    type_id: optional(string('Key of the attribute group.')),
  },
  'A feature of the place.',
)

const OpeningHours = closedObject(
  {
    periods: optional(
      listOf(
        closedObject({
          day_of_week: oneOf(daysOfWeek, 'Day on which the period starts.'),
          opens: string('Local time, HH:MM.'),
          closes: string('Local time, HH:MM. A time at or before `opens` is on the next day (R-35).'),
        }),
        'Weekly opening periods; a day may have several.',
      ),
    ),
    special_days: optional(
      listOf(
        closedObject({
          date: date('The date.'),
          opens: optional(string('Local time, HH:MM. The place is closed on a date without times.')),
          closes: optional(string('Local time, HH:MM.')),
        }),
        'Dates whose hours replace the weekly periods.',
      ),
    ),
    formatted: optional(listOf(string('Line of text.'), 'Opening hours as text, in the wording of the source.')),
    timezone: optional(string('IANA time zone of the times.')),
  },
  'Opening hours.',
)

const Accommodation = closedObject(
  {
    brand: optional(string('Brand.')),
    chain: optional(string('Chain.')),
    star_rating: optional(number('Number of stars.')),
    room_count: optional(count('Number of rooms.')),
    prices: optional(
      listOf(
        closedObject({
          currency: optional(string('ISO 4217 code.')),
          min_rate: optional(number('Lowest rate per night.')),
          max_rate: optional(number('Highest rate per night.')),
        }),
        'Typical room rates.',
      ),
    ),
  },
  'Details of a hotel or other accommodation.',
)

const Award = closedObject(
  {
    type: optional(string('Key of the award.')),
    name: optional(string('Name.')),
    category: optional(string('Award category.')),
    geo: optional(string('Area that the award applies to.')),
    year: optional(count('Year of the award.')),
    image: optional(describedRef('AnyImage', 'Image of the award.')),
  },
  'An award.',
)

const Ranking = closedObject(
  {
    rank: optional(count('Position; 1 is the best.')),
    total: optional(count('Number of places in the ranking.')),
    category: optional(string('Type of the places in the ranking.')),
    geo: optional(string('Area of the ranking.')),
    geo_id: optional(int64Id('Id of the area.')),
    display_text: optional(string('The ranking in words.')),
  },
  'Position of the place in a ranking.',
)

const AnyImage = closedObject(
  { key: optional(string('Key of the image.')), url: optional(string('URL of the image.')) },
  'An image, with the key and URL provided by its source.',
)

/** Members of both `Location` and `CatalogLocation`. */
const sharedMembers = {
  id: int64Id('Id of the location. Store it as a 64-bit integer.'),
  names: listOf(ref('LocalizedText'), 'Names; the primary name is always included (R-25).'),
  descriptions: optional(listOf(ref('PlainText'), 'Descriptions.')),
  addresses: optional(listOf(ref('Address'), 'Addresses.')),
  coordinates: ref('Coordinates'),
  categories: listOf(ref('Category'), 'Categories, the main one first.'),
  geo: optional(string('Name of the area that contains the place.')),
  geo_id: optional(int64Id('Id of the area that contains the place.')),
  status: optional(ref('Status')),
  urls: optional(
    closedObject(
      { official: optional(string('Official website.')), menu: optional(string('Menu.')) },
      'Web addresses.',
    ),
  ),
}

const Location = closedObject(
  {
    ...sharedMembers,
    attributes: optional(listOf(ref('Attribute'), 'Attributes.')),
    opening_hours: optional(ref('OpeningHours')),
    phone_numbers: optional(
      listOf(
        closedObject({ type: optional(string('Type of the number.')), value: string('The number.') }),
        'Phone numbers.',
      ),
    ),
    official_email: optional(string('E-mail address.')),
    price_level: optional(oneOf(priceLevels, 'Price level.')),
    accommodation: optional(ref('Accommodation')),
    recommended_visit_length: optional(string('Recommended length of a visit.')),
    photos: optional(closedObject({ total_count: count('Number of photos.') }, 'Photos.')),
    attributions: optional(
      listOf(
        closedObject({
          source: optional(string('Source to credit.')),
          license: optional(string('Licence.')),
          url: optional(string('URL of the source or licence.')),
        }),
        'Sources of the data that must be credited.',
      ),
    ),
    neighborhoods: optional(
      listOf(
        closedObject({ geo_id: optional(int64Id('Id.')), name: string('Name.') }),
        'Neighbourhoods that contain the place.',
      ),
    ),
    awards: optional(listOf(ref('Award'), 'Awards.')),
    rankings: optional(listOf(ref('Ranking'), 'Rankings.')),
    traveler_ratings: optional(ref('TravelerRatings')),
    external_ids: optional(
      listOf(
        closedObject({ source: string('Name of the external source.'), id: string('Id in that source.') }),
        'Ids of the place in other sources.',
      ),
    ),
  },
  'A location (SPEC §2.1).',
)

const CatalogLocation = closedObject(
  {
    ...sharedMembers,
    traveler_ratings: optional(
      closedObject({ overall: ref('OverallRating') }, 'Ratings by travelers: the summary only.'),
    ),
  },
  'A location with the reduced set of fields of the catalog.',
)

export const locationSchemas = {
  Location,
  CatalogLocation,
  LocalizedText,
  PlainText,
  Status,
  Address,
  Coordinates,
  Category,
  Attribute,
  OpeningHours,
  Accommodation,
  Award,
  Ranking,
  AnyImage,
}
