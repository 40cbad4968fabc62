import Type, { type TProperties, type TSchema } from 'typebox'
import { topLevelCategories } from '../../domain/category.ts'
import { enumNames } from '../../domain/enum-value.ts'
import { priceLevels } from '../../domain/location.ts'
import { daysOfWeek } from '../../domain/opening-hours.ts'
import { tripTypes } from '../../domain/review.ts'
import {
  count,
  date,
  dateTime,
  flag,
  long,
  number,
  oneOf,
  rating,
  ref,
  text,
  webAddress,
} from '../primitives/schema.ts'

/** v0 sent what was absent (SPEC §9.5, last row): null for a scalar. */
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])

/** [] for a list. */
const list = (items: TSchema, description: string) => Type.Array(items, { description })

/** Every member is there. */
const whole = (properties: TProperties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) })

/** {} for an object. */
const orEmpty = (schema: TSchema) => Type.Union([schema, Type.Object({}, { additionalProperties: false })])

const language = orNull(text('Language with an underscore before its region, such as es_MX.'))

const MarkedText = whole(
  { language, value: text('The text.'), primary: flag('Whether this is the original.') },
  'A text in one language.',
)

const PlainText = whole({ language, value: text('The text.') }, 'A description in one language.')

const Status = whole(
  {
    value: text('State of the location: a free-form string; an enumeration from v1 on.'),
    closed_date: orNull(date('When it closed.')),
    reopen_date: orNull(date('When it is to reopen.')),
  },
  'Operating status of the location.',
)

const Address = whole(
  {
    language,
    street_address: orNull(text('Street and number.')),
    street_address2: orNull(text('Second line.')),
    city: orNull(text('City.')),
    state: orNull(text('State, region or province.')),
    postal_code: orNull(text('Postal code.')),
    country_name: orNull(text('Name of the country.')),
    country_code: orNull(text('ISO 3166-1 alpha-2 code of the country.')),
    formatted: orNull(text('The address as one text.')),
  },
  'A postal address.',
)

const Category = whole(
  {
    id: text('Key of the category.'),
    display_name: text('Human-readable name.'),
    hierarchy: list(text('Name.'), 'Names from the top of the category tree down.'),
    top_level_category: oneOf(topLevelCategories, 'The top of the tree.'),
  },
  'What kind of place this is.',
)

const OpeningHours = whole(
  {
    periods: list(
      whole({
        day_of_week: oneOf(daysOfWeek, 'The day on which the period begins.'),
        opens: text('Local time, HH:MM.'),
        closes: text('Local time, HH:MM; at or before `opens` it is on the next day (R-35).'),
      }),
      'Weekly periods.',
    ),
    special_days: list(
      whole({
        date: date('The date.'),
        opens: orNull(text('Local time, HH:MM.')),
        closes: orNull(text('Local time, HH:MM.')),
      }),
      'Dates that replace the weekly periods.',
    ),
    formatted: list(text('A line.'), 'The hours as the source words them.'),
    timezone: orNull(text('IANA name of the zone that the times are in.')),
  },
  'When the place is open.',
)

const Accommodation = whole(
  {
    brand: orNull(text('Brand.')),
    chain: orNull(text('Chain.')),
    star_rating: orNull(number('Stars.')),
    room_count: orNull(count('Number of rooms.')),
    prices: list(
      whole({
        currency: orNull(text('ISO 4217 code.')),
        min_rate: orNull(number('Lowest rate per night.')),
        max_rate: orNull(number('Highest rate per night.')),
      }),
      'Usual rates.',
    ),
  },
  'What only places to stay have.',
)

const AnyImage = whole(
  { key: orNull(text('Key of the picture.')), url: orNull(text('Address of the picture.')) },
  'A picture as its source names it.',
)

const ImageUrl = whole({ key: text('Key of the image.'), url: webAddress('Address of the image.') }, 'An image.')

const Award = whole(
  {
    type: orNull(text('Key of the award.')),
    name: orNull(text('Name.')),
    category: orNull(text('What it was given for.')),
    geo: orNull(text('Where it holds.')),
    year: orNull(count('The year it was given.')),
    image: orEmpty(ref('AnyImage')),
  },
  'An award.',
)

const Ranking = whole(
  {
    rank: orNull(count('Position, 1 is the best.')),
    total: orNull(count('Among how many.')),
    category: orNull(text('Of what.')),
    geo: orNull(text('Where.')),
    geo_id: orNull(long('Id of where.')),
    display_text: orNull(text('The ranking in words.')),
  },
  'Position among places of a kind.',
)

/** Everything stood inside `overall`; subratings had neither icon_url nor type_name (SPEC §9.5). */
const travelerRatings = (icon: TSchema) =>
  whole(
    {
      overall: whole(
        {
          rating: orNull(rating('Average rating.')),
          count: orNull(count('Number of ratings.')),
          icon_url: orNull(icon),
          subratings: list(
            whole({
              type: text('Subrating category key.'),
              rating: rating('Average rating.'),
              count: orNull(count('Number of ratings.')),
            }),
            'By aspect.',
          ),
          breakdowns: list(
            whole({
              rating: rating('The rating.'),
              count: count('How often it was given.'),
              rating_name: orNull(text('The rating in words.')),
            }),
            'By rating, best first.',
          ),
          language_counts: list(
            whole({
              language: text('Language, with an underscore before its region.'),
              count: count('Number of reviews.'),
            }),
            'Reviews by language.',
          ),
        },
        'Overall rating summary.',
      ),
    },
    'Ratings by travelers.',
  )

const Location = whole(
  {
    id: long('64-bit integer.'),
    names: list(ref('MarkedText'), 'Names.'),
    descriptions: list(ref('PlainText'), 'Descriptions.'),
    geo: orNull(text('Name of the place that it lies in.')),
    geo_id: orNull(long('Id of the place that it lies in.')),
    status: orEmpty(ref('Status')),
    addresses: list(ref('Address'), 'Addresses.'),
    coordinates: whole(
      {
        latitude: number('Degrees, north positive.', { minimum: -90, maximum: 90 }),
        longitude: number('Degrees, east positive.', { minimum: -180, maximum: 180 }),
      },
      'WGS 84 coordinates.',
    ),
    categories: list(ref('Category'), 'Categories, the main one first.'),
    attributes: list(
      whole({
        id: text('Key of the attribute.'),
        name: text('Human-readable name.'),
        type: orNull(text('Name of its group.')),
        type_id: orNull(text('Key of its group.')),
      }),
      'Attributes.',
    ),
    opening_hours: orEmpty(ref('OpeningHours')),
    phone_numbers: list(whole({ type: orNull(text('Kind of number.')), value: text('The number.') }), 'Phone numbers.'),
    official_email: orNull(text('E-mail address.')),
    urls: orEmpty(whole({ official: orNull(text('The own web site.')), menu: orNull(text('The menu.')) })),
    price_level: orNull(oneOf(priceLevels, 'How expensive it is.')),
    accommodation: orEmpty(ref('Accommodation')),
    recommended_visit_length: orNull(text('How long a visit takes.')),
    photos: orEmpty(whole({ total_count: count('How many there are.') })),
    attributions: list(
      whole({
        source: orNull(text('Who is to be credited.')),
        license: orNull(text('The licence.')),
        url: orNull(text('Where that is said.')),
      }),
      'Whom the data comes from.',
    ),
    neighborhoods: list(whole({ geo_id: orNull(long('Id.')), name: text('Name.') }), 'Neighbourhoods.'),
    awards: list(ref('Award'), 'Awards.'),
    rankings: list(ref('Ranking'), 'Rankings.'),
    traveler_ratings: orEmpty(ref('TravelerRatings')),
    external_ids: list(
      whole({ source: text('Who calls it so.'), id: text('How it is called.') }),
      'Ids that others have given.',
    ),
  },
  'A location of v0 (SPEC §2.1, §9.5).',
)

const Review = whole(
  {
    id: Type.String({ pattern: '^[1-9][0-9]*$', description: 'A string in v0, a 64-bit integer from v1 on.' }),
    location_id: long('Id of the reviewed location.'),
    publish_ts: orNull(dateTime('When it was published.')),
    travel_date: orNull(text('When the author was there: YYYY-MM or YYYY-MM-DD.')),
    trip_type: orNull(oneOf(tripTypes, 'The kind of trip.')),
    rating: orNull(rating('The rating, 1 to 5.')),
    rating_icon_url: orNull(webAddress('Icon for the rating.')),
    title: list(ref('MarkedText'), 'Title.'),
    text: list(ref('MarkedText'), 'Text.'),
    url: orNull(text('The review at its source.')),
    user: orEmpty(
      whole(
        {
          username: orNull(text('Name.')),
          avatar_url: orEmpty(ref('AnyImage')),
          geo: orNull(text('Where the author is from.')),
          geo_id: orNull(long('Id of where the author is from.')),
        },
        'The author.',
      ),
    ),
    subratings: list(
      whole({ type: text('Subrating category key.'), rating: rating('Per-review value.') }),
      'The ratings of single aspects.',
    ),
    traveler_ratings: orEmpty(ref('ReviewTravelerRatings')),
    owner_response: orEmpty(
      whole(
        {
          id: orNull(long('Id of the response.')),
          text: list(ref('MarkedText'), 'The response.'),
          publish_date: orNull(date('When it was published.')),
          username: orNull(text('Who wrote it.')),
        },
        'What the owner of the place answered.',
      ),
    ),
  },
  'A review of v0 (SPEC §2.3, §9.5).',
)

const EnumValue = whole(
  {
    id: text('The list and the word: `category:hotel`.'),
    enum: oneOf(enumNames, 'The list.'),
    value: text('The word, as records name it.'),
    display_name: text('Human-readable name.'),
    hierarchy: list(text('Name.'), 'Of a category: names from the top of the category tree down.'),
    top_level_category: orNull(oneOf(topLevelCategories, 'Of a category: the top of the tree.')),
  },
  'A word that records choose from.',
)

/** What lines of v0's feeds are. Over HTTP it is no longer documented. */
export const feedSchemas = {
  Location,
  Review,
  EnumValue,
  MarkedText,
  PlainText,
  Status,
  Address,
  Category,
  OpeningHours,
  Accommodation,
  AnyImage,
  ImageUrl,
  Award,
  Ranking,
  TravelerRatings: travelerRatings(webAddress('Icon for the rating.')),
  ReviewTravelerRatings: travelerRatings(ref('ImageUrl')),
}
