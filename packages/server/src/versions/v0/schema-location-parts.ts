import { count } from '../../kit/json-schema.ts'
import { boolean, date, describedRef, int64Id, number, object, ref, string } from '../primitives/schema.ts'
import { list, orEmpty, orNull } from './schema-absent.ts'

const language = orNull(string('Language tag with an underscore before the region, such as es_MX.'))

const MarkedText = object(
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
    value: string('State of the location. A free-form string; an enumeration from v1 on.'),
    closed_date: orNull(date('Date on which it closed.')),
    reopen_date: orNull(date('Date on which it is expected to reopen.')),
  },
  'Operating status of the location.',
)

const Address = object(
  {
    language,
    street_address: orNull(string('Street and number.')),
    street_address2: orNull(string('Second line of the street address.')),
    city: orNull(string('City.')),
    state: orNull(string('State, region or province.')),
    postal_code: orNull(string('Postal code.')),
    country_name: orNull(string('Name of the country.')),
    country_code: orNull(string('ISO 3166-1 alpha-2 code of the country.')),
    formatted: orNull(string('The complete address as one string.')),
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
    hierarchy: list(string('Name.'), 'Names of the categories from the top of the tree down to this one.'),
    top_level_category: ref('TopLevelCategory'),
  },
  'A category of the place.',
)

const Attribute = object(
  {
    id: string('Key of the attribute.'),
    name: string('Human-readable name.'),
    type: orNull(string('Name of the attribute group.')),
    type_id: orNull(string('Key of the attribute group.')),
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
    opens: orNull(string('Local time, HH:MM.')),
    closes: orNull(string('Local time, HH:MM.')),
  },
  'Opening hours of one date.',
)

const OpeningHours = object(
  {
    periods: list(ref('OpeningPeriod'), 'Weekly opening periods.'),
    special_days: list(ref('SpecialDay'), 'Dates whose hours replace the weekly periods.'),
    formatted: list(string('Line of text.'), 'Opening hours as text, in the wording of the source.'),
    timezone: orNull(string('IANA time zone of the times.')),
  },
  'Opening hours.',
)

const WebAddresses = object(
  { official: orNull(string('Official website.')), menu: orNull(string('Menu.')) },
  'Web addresses.',
)

const PhoneNumber = object(
  { type: orNull(string('Type of the number.')), value: string('The number.') },
  'A phone number.',
)

const Photos = object({ total_count: count('Number of photos.') }, 'Photos.')

const Attribution = object(
  {
    source: orNull(string('Source to credit.')),
    license: orNull(string('Licence.')),
    url: orNull(string('URL of the source or licence.')),
  },
  'A source that must be credited.',
)

const Neighborhood = object({ geo_id: orNull(int64Id('Id.')), name: string('Name.') }, 'A neighbourhood.')

const ExternalId = object(
  { source: string('Name of the external source.'), id: string('Id in that source.') },
  'Id of the place in another source.',
)

const RoomRate = object(
  {
    currency: orNull(string('ISO 4217 code.')),
    min_rate: orNull(number('Lowest rate per night.')),
    max_rate: orNull(number('Highest rate per night.')),
  },
  'A range of room rates.',
)

const Accommodation = object(
  {
    brand: orNull(string('Brand.')),
    chain: orNull(string('Chain.')),
    star_rating: orNull(number('Number of stars.')),
    room_count: orNull(count('Number of rooms.')),
    prices: list(ref('RoomRate'), 'Typical room rates.'),
  },
  'Details of a hotel or other accommodation.',
)

const AnyImage = object(
  { key: orNull(string('Key of the image.')), url: orNull(string('URL of the image.')) },
  'An image, with the key and URL provided by its source.',
)

const Award = object(
  {
    type: orNull(string('Key of the award.')),
    name: orNull(string('Name.')),
    category: orNull(string('Award category.')),
    geo: orNull(string('Area that the award applies to.')),
    year: orNull(count('Year of the award.')),
    image: orEmpty(ref('AnyImage')),
  },
  'An award.',
)

const Ranking = object(
  {
    rank: orNull(count('Position; 1 is the best.')),
    total: orNull(count('Number of places in the ranking.')),
    category: orNull(string('Type of the places in the ranking.')),
    geo: orNull(string('Area of the ranking.')),
    geo_id: orNull(int64Id('Id of the area.')),
    display_text: orNull(string('The ranking in words.')),
  },
  'Position of the place in a ranking.',
)

/** Schemas of the objects inside a location. */
export const locationParts = {
  MarkedText,
  PlainText,
  Status,
  Address,
  Coordinates,
  Category,
  Attribute,
  OpeningHours,
  OpeningPeriod,
  SpecialDay,
  WebAddresses,
  PhoneNumber,
  Photos,
  Attribution,
  Neighborhood,
  ExternalId,
  Accommodation,
  RoomRate,
  AnyImage,
  Award,
  Ranking,
}
