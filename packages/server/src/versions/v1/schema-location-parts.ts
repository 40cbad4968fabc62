import { count } from '../../kit/json-schema.ts'
import {
  boolean,
  date,
  describedRef,
  int64Id,
  listOf,
  number,
  object,
  optional,
  ref,
  string,
} from '../primitives/schema.ts'

const language = optional(
  string('Language tag with an underscore before the region, such as es_MX; absent if unknown.'),
)

const LocalizedText = object(
  {
    language,
    value: string('The text.'),
    primary: boolean('True for the primary name or the original text.'),
  },
  'A text in one language.',
)

const PlainText = object({ language, value: string('The text.') }, 'A description in one language.')

const Status = object(
  {
    value: describedRef('StatusValue', 'State of the location. An enumeration from v1 on; a free-form string in v0.'),
    closed_date: optional(date('Date on which it closed; present if applicable.')),
    reopen_date: optional(date('Date on which it is expected to reopen; present if applicable.')),
  },
  'Operating status of the location.',
)

const Address = object(
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

const Coordinates = object(
  {
    latitude: number('Degrees, north positive.', { minimum: -90, maximum: 90 }),
    longitude: number('Degrees, east positive.', { minimum: -180, maximum: 180 }),
  },
  'WGS 84 coordinates.',
)

const Category = object(
  {
    id: string('Key of the category.'),
    display_name: string('Human-readable name.'),
    hierarchy: optional(listOf(string('Name.'), 'Names of the categories from the top of the tree down to this one.')),
    top_level_category: ref('TopLevelCategory'),
  },
  'A category of the place.',
)

const Attribute = object(
  {
    id: string('Key of the attribute.'),
    name: string('Human-readable name.'),
    type: optional(string('Name of the attribute group.')),
    type_id: optional(string('Key of the attribute group.')),
  },
  'A feature of the place.',
)

const OpeningPeriod = object(
  {
    day_of_week: describedRef('DayOfWeek', 'Day on which the period starts.'),
    opens: string('Local time, HH:MM.'),
    closes: string('Local time, HH:MM. A time at or before `opens` is on the next day.'),
  },
  'A weekly opening period.',
)

const SpecialDay = object(
  {
    date: date('The date.'),
    opens: optional(string('Local time, HH:MM. The place is closed on a date without times.')),
    closes: optional(string('Local time, HH:MM.')),
  },
  'Opening hours of one date.',
)

const OpeningHours = object(
  {
    periods: optional(listOf(ref('OpeningPeriod'), 'Weekly opening periods; a day may have several.')),
    special_days: optional(listOf(ref('SpecialDay'), 'Dates whose hours replace the weekly periods.')),
    formatted: optional(listOf(string('Line of text.'), 'Opening hours as text, in the wording of the source.')),
    timezone: optional(string('IANA time zone of the times.')),
  },
  'Opening hours.',
)

const RoomRate = object(
  {
    currency: optional(string('ISO 4217 code.')),
    min_rate: optional(number('Lowest rate per night.')),
    max_rate: optional(number('Highest rate per night.')),
  },
  'A range of room rates.',
)

const Accommodation = object(
  {
    brand: optional(string('Brand.')),
    chain: optional(string('Chain.')),
    star_rating: optional(number('Number of stars.')),
    room_count: optional(count('Number of rooms.')),
    prices: optional(listOf(ref('RoomRate'), 'Typical room rates.')),
  },
  'Details of a hotel or other accommodation.',
)

const Award = object(
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

const Ranking = object(
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

const WebAddresses = object(
  { official: optional(string('Official website.')), menu: optional(string('Menu.')) },
  'Web addresses.',
)

const PhoneNumber = object(
  { type: optional(string('Type of the number.')), value: string('The number.') },
  'A phone number.',
)

const Photos = object({ total_count: count('Number of photos.') }, 'Photos.')

const Attribution = object(
  {
    source: optional(string('Source to credit.')),
    license: optional(string('Licence.')),
    url: optional(string('URL of the source or licence.')),
  },
  'A source that must be credited.',
)

const Neighborhood = object({ geo_id: optional(int64Id('Id.')), name: string('Name.') }, 'A neighbourhood.')

const ExternalId = object(
  { source: string('Name of the external source.'), id: string('Id in that source.') },
  'Id of the place in another source.',
)

const AnyImage = object(
  { key: optional(string('Key of the image.')), url: optional(string('URL of the image.')) },
  'An image, with the key and URL provided by its source.',
)

/** Schemas of the objects inside a location. */
export const locationParts = {
  LocalizedText,
  PlainText,
  Status,
  Address,
  Coordinates,
  Category,
  Attribute,
  OpeningHours,
  OpeningPeriod,
  SpecialDay,
  Accommodation,
  RoomRate,
  WebAddresses,
  PhoneNumber,
  Photos,
  Attribution,
  Neighborhood,
  ExternalId,
  Award,
  Ranking,
  AnyImage,
}
