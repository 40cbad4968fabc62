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

const language = optional(text('BCP 47 tag, such as es-MX; absent where unknown.'))

const LocalizedText = closed(
  { language, value: text('The text.'), primary: flag('Whether this is the original.') },
  'A text in one language.',
)

const PlainText = closed({ language, value: text('The text.') }, 'A description in one language.')

const Status = closed(
  {
    value: oneOf(statusValues, 'State of the location.'),
    closed_date: optional(date('When it closed; present when applicable.')),
    reopen_date: optional(date('When it is to reopen; present when applicable.')),
  },
  'Operating status of the location.',
)

const Address = closed(
  {
    language,
    street_address: optional(text('Street and number.')),
    street_address2: optional(text('Second line.')),
    city: optional(text('City.')),
    state: optional(text('State, region or province.')),
    postal_code: optional(text('Postal code.')),
    country_name: optional(text('Name of the country.')),
    country_code: optional(text('ISO 3166-1 alpha-2 code of the country.')),
    formatted: optional(text('The address as one text.')),
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
    hierarchy: optional(listOf(text('Name.'), 'Names from the top of the category tree down.')),
    top_level_category: ref('TopLevelCategory'),
  },
  'What kind of place this is.',
)

/** An enumeration with the name of each value beside its key. */
const labelled = (values: readonly string[], description: string) =>
  closed({ id: oneOf(values, 'Key.'), display_name: text('Human-readable name.') }, description)

const Attribute = closed(
  {
    id: text('Key of the attribute.'),
    name: text('Human-readable name.'),
    type: optional(text('Name of its group.')),
    type_id: optional(text('Key of its group.')),
  },
  'Something that the place has or offers.',
)

const OpeningHours = closed(
  {
    periods: optional(
      listOf(
        closed({
          day_of_week: oneOf(daysOfWeek, 'The day on which the period begins.'),
          opens: text('Local time, HH:MM.'),
          closes: text('Local time, HH:MM; at or before `opens` it is on the next day (R-35).'),
        }),
        'Weekly periods; a day may have several.',
      ),
    ),
    special_days: optional(
      listOf(
        closed({
          date: date('The date.'),
          opens: optional(text('Local time, HH:MM; without times the place is closed that day.')),
          closes: optional(text('Local time, HH:MM.')),
        }),
        'Dates that replace the weekly periods.',
      ),
    ),
    formatted: optional(listOf(text('A line.'), 'The hours as the source words them.')),
    timezone: optional(text('IANA name of the zone that the times are in.')),
  },
  'When the place is open.',
)

const Accommodation = closed(
  {
    brand: optional(text('Brand.')),
    chain: optional(text('Chain.')),
    star_rating: optional(number('Stars.')),
    room_count: optional(count('Number of rooms.')),
    prices: optional(
      listOf(
        closed({
          currency: optional(text('ISO 4217 code.')),
          min_rate: optional(number('Lowest rate per night.')),
          max_rate: optional(number('Highest rate per night.')),
        }),
        'Usual rates.',
      ),
    ),
  },
  'What only places to stay have.',
)

const Award = closed(
  {
    type: optional(text('Key of the award.')),
    name: optional(text('Name.')),
    category: optional(text('What it was given for.')),
    geo: optional(text('Where it holds.')),
    year: optional(count('The year it was given.')),
    image: optional(described('AnyImage', 'Picture of the award.')),
  },
  'An award.',
)

const Ranking = closed(
  {
    rank: optional(count('Position, 1 is the best.')),
    total: optional(count('Among how many.')),
    category: optional(text('Of what.')),
    geo: optional(text('Where.')),
    geo_id: optional(long('Id of where.')),
    display_text: optional(text('The ranking in words.')),
  },
  'Position among places of a kind.',
)

const AnyImage = closed(
  { key: optional(text('Key of the picture.')), url: optional(text('Address of the picture.')) },
  'A picture as its source names it.',
)

/** Members that the catalog shows, too. */
const light = {
  id: long('64-bit integer; store it as one.'),
  names: listOf(ref('LocalizedText'), 'Names, the primary one always among them (R-25).'),
  addresses: optional(listOf(ref('Address'), 'Addresses.')),
  coordinates: ref('Coordinates'),
  categories: listOf(ref('Category'), 'Categories, the main one first.'),
  geo: optional(text('Name of the place that it lies in.')),
  geo_id: optional(long('Id of the place that it lies in.')),
  status: optional(ref('Status')),
}

const Location = closed(
  {
    ...light,
    descriptions: optional(listOf(ref('PlainText'), 'Descriptions.')),
    attributes: optional(listOf(ref('Attribute'), 'Attributes.')),
    opening_hours: optional(ref('OpeningHours')),
    phone_numbers: optional(
      listOf(closed({ type: optional(text('Kind of number.')), value: text('The number.') }), 'Phone numbers.'),
    ),
    official_email: optional(text('E-mail address.')),
    urls: optional(
      closed(
        { official: optional(text('The own web site.')), menu: optional(text('The menu.')) },
        'Addresses on the web.',
      ),
    ),
    price_level: optional(ref('PriceLevel')),
    accommodation: optional(ref('Accommodation')),
    recommended_visit_length: optional(text('How long a visit takes.')),
    photos: optional(closed({ total_count: count('How many there are.') }, 'Photos.')),
    attributions: optional(
      listOf(
        closed({
          source: optional(text('Who is to be credited.')),
          license: optional(text('The licence.')),
          url: optional(text('Where that is said.')),
        }),
        'Whom the data comes from.',
      ),
    ),
    neighborhoods: optional(
      listOf(closed({ geo_id: optional(long('Id.')), name: text('Name.') }), 'Neighbourhoods that it lies in.'),
    ),
    awards: optional(listOf(ref('Award'), 'Awards.')),
    rankings: optional(listOf(ref('Ranking'), 'Rankings.')),
    traveler_ratings: optional(ref('TravelerRatings')),
    external_ids: optional(
      listOf(
        closed({ source: text('Who calls it so.'), id: text('How it is called.') }),
        'Ids that others have given.',
      ),
    ),
  },
  'A location (SPEC §2.1).',
)

const CatalogLocation = closed(
  {
    ...light,
    traveler_ratings: optional(closed({ overall: ref('OverallRating') }, 'Ratings by travelers, the summary alone.')),
  },
  'A location in the light projection of the catalog.',
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
  TopLevelCategory: labelled(topLevelCategories, 'The top of the category tree.'),
  PriceLevel: labelled(priceLevels, 'How expensive a place is.'),
}
