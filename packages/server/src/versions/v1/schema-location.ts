import { topLevelCategories } from '../../domain/category.ts'
import { priceLevels, statusValues } from '../../domain/location.ts'
import { daysOfWeek } from '../../domain/opening-hours.ts'
import {
  closed,
  count,
  date,
  described,
  flag,
  listOf,
  long,
  number,
  oneOf,
  optional,
  ref,
  text,
} from '../primitives/schema.ts'

const language = optional(
  text('Language tag with an underscore before the region, such as es_MX; absent when unknown.'),
)

const LocalizedText = closed(
  {
    language,
    value: text('The text.'),
    primary: flag('True for the primary name or the original text.'),
  },
  'A text in one language.',
)

const PlainText = closed({ language, value: text('The text.') }, 'A description in one language.')

const Status = closed(
  {
    value: oneOf(statusValues, 'State of the location. An enumeration from v1 on; a free-form string in v0.'),
    closed_date: optional(date('Date on which it closed; present when applicable.')),
    reopen_date: optional(date('Date on which it is expected to reopen; present when applicable.')),
  },
  'Operating status of the location.',
)

const Address = closed(
  {
    language,
    street_address: optional(text('Street and number.')),
    street_address2: optional(text('Second line of the street address.')),
    city: optional(text('City.')),
    state: optional(text('State, region or province.')),
    postal_code: optional(text('Postal code.')),
    country_name: optional(text('Name of the country.')),
    country_code: optional(text('ISO 3166-1 alpha-2 code of the country.')),
    formatted: optional(text('The complete address as one string.')),
  },
  'A postal address.',
)

const Coordinates = closed(
  {
    latitude: number('Degrees, north positive.', { minimum: -90, maximum: 90 }),
    longitude: number('Degrees, east positive.', { minimum: -180, maximum: 180 }),
  },
  'WGS 84 coordinates.',
)

const Category = closed(
  {
    id: text('Key of the category.'),
    display_name: text('Human-readable name.'),
    hierarchy: optional(listOf(text('Name.'), 'Names of the categories from the top of the tree down to this one.')),
    top_level_category: oneOf(topLevelCategories, 'Top-level category.'),
  },
  'A category of the place.',
)

const Attribute = closed(
  {
    id: text('Key of the attribute.'),
    name: text('Human-readable name.'),
    type: optional(text('Name of the attribute group.')),
    type_id: optional(text('Key of the attribute group.')),
  },
  'A feature of the place.',
)

const OpeningHours = closed(
  {
    periods: optional(
      listOf(
        closed({
          day_of_week: oneOf(daysOfWeek, 'Day on which the period begins.'),
          opens: text('Local time, HH:MM.'),
          closes: text('Local time, HH:MM. A time at or before `opens` is on the next day (R-35).'),
        }),
        'Weekly opening periods; a day may have several.',
      ),
    ),
    special_days: optional(
      listOf(
        closed({
          date: date('The date.'),
          opens: optional(text('Local time, HH:MM. The place is closed on a date without times.')),
          closes: optional(text('Local time, HH:MM.')),
        }),
        'Dates whose hours replace the weekly periods.',
      ),
    ),
    formatted: optional(listOf(text('One line.'), 'Opening hours as text, in the wording of the source.')),
    timezone: optional(text('IANA time zone of the times.')),
  },
  'Opening hours.',
)

const Accommodation = closed(
  {
    brand: optional(text('Brand.')),
    chain: optional(text('Chain.')),
    star_rating: optional(number('Number of stars.')),
    room_count: optional(count('Number of rooms.')),
    prices: optional(
      listOf(
        closed({
          currency: optional(text('ISO 4217 code.')),
          min_rate: optional(number('Lowest rate per night.')),
          max_rate: optional(number('Highest rate per night.')),
        }),
        'Typical room rates.',
      ),
    ),
  },
  'Details of a hotel or other accommodation.',
)

const Award = closed(
  {
    type: optional(text('Key of the award.')),
    name: optional(text('Name.')),
    category: optional(text('Award category.')),
    geo: optional(text('Area that the award applies to.')),
    year: optional(count('Year of the award.')),
    image: optional(described('AnyImage', 'Image of the award.')),
  },
  'An award.',
)

const Ranking = closed(
  {
    rank: optional(count('Position; 1 is the best.')),
    total: optional(count('Number of places in the ranking.')),
    category: optional(text('Kind of places in the ranking.')),
    geo: optional(text('Area of the ranking.')),
    geo_id: optional(long('Id of the area.')),
    display_text: optional(text('The ranking in words.')),
  },
  'Position of the place in a ranking.',
)

const AnyImage = closed(
  { key: optional(text('Key of the image.')), url: optional(text('URL of the image.')) },
  'An image, with the key and URL that its source gives.',
)

/** Members of both `Location` and `CatalogLocation`. */
const sharedMembers = {
  id: long('Id of the location. Store it as a 64-bit integer.'),
  names: listOf(ref('LocalizedText'), 'Names; the primary name is always included (R-25).'),
  addresses: optional(listOf(ref('Address'), 'Addresses.')),
  coordinates: ref('Coordinates'),
  categories: listOf(ref('Category'), 'Categories, the main one first.'),
  geo: optional(text('Name of the area that contains the place.')),
  geo_id: optional(long('Id of the area that contains the place.')),
  status: optional(ref('Status')),
}

const Location = closed(
  {
    ...sharedMembers,
    descriptions: optional(listOf(ref('PlainText'), 'Descriptions.')),
    attributes: optional(listOf(ref('Attribute'), 'Attributes.')),
    opening_hours: optional(ref('OpeningHours')),
    phone_numbers: optional(
      listOf(closed({ type: optional(text('Type of the number.')), value: text('The number.') }), 'Phone numbers.'),
    ),
    official_email: optional(text('E-mail address.')),
    urls: optional(
      closed({ official: optional(text('Official website.')), menu: optional(text('Menu.')) }, 'Web addresses.'),
    ),
    price_level: optional(oneOf(priceLevels, 'Price level.')),
    accommodation: optional(ref('Accommodation')),
    recommended_visit_length: optional(text('Recommended length of a visit.')),
    photos: optional(closed({ total_count: count('Number of photos.') }, 'Photos.')),
    attributions: optional(
      listOf(
        closed({
          source: optional(text('Source to credit.')),
          license: optional(text('Licence.')),
          url: optional(text('URL of the source or licence.')),
        }),
        'Sources of the data that must be credited.',
      ),
    ),
    neighborhoods: optional(
      listOf(closed({ geo_id: optional(long('Id.')), name: text('Name.') }), 'Neighbourhoods that contain the place.'),
    ),
    awards: optional(listOf(ref('Award'), 'Awards.')),
    rankings: optional(listOf(ref('Ranking'), 'Rankings.')),
    traveler_ratings: optional(ref('TravelerRatings')),
    external_ids: optional(
      listOf(
        closed({ source: text('Name of the external source.'), id: text('Id in that source.') }),
        'Ids of the place in other sources.',
      ),
    ),
  },
  'A location (SPEC §2.1).',
)

const CatalogLocation = closed(
  {
    ...sharedMembers,
    traveler_ratings: optional(closed({ overall: ref('OverallRating') }, 'Ratings by travelers: the summary only.')),
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
