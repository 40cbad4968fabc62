import Type, { type TSchema } from 'typebox'
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
import { closed, list, orEmpty, orNull } from './schema-absent.ts'

const language = orNull(text('Language tag with an underscore before the region, such as es_MX.'))

const MarkedText = closed(
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
    value: text('State of the location. A free-form string; an enumeration from v1 on.'),
    closed_date: orNull(date('Date on which it closed.')),
    reopen_date: orNull(date('Date on which it is expected to reopen.')),
  },
  'Operating status of the location.',
)

const Address = closed(
  {
    language,
    street_address: orNull(text('Street and number.')),
    street_address2: orNull(text('Second line of the street address.')),
    city: orNull(text('City.')),
    state: orNull(text('State, region or province.')),
    postal_code: orNull(text('Postal code.')),
    country_name: orNull(text('Name of the country.')),
    country_code: orNull(text('ISO 3166-1 alpha-2 code of the country.')),
    formatted: orNull(text('The complete address as one string.')),
  },
  'A postal address.',
)

const Category = closed(
  {
    id: text('Key of the category.'),
    display_name: text('Human-readable name.'),
    hierarchy: list(text('Name.'), 'Names of the categories from the top of the tree down to this one.'),
    top_level_category: oneOf(topLevelCategories, 'Top-level category.'),
  },
  'A category of the place.',
)

const OpeningHours = closed(
  {
    periods: list(
      closed({
        day_of_week: oneOf(daysOfWeek, 'Day on which the period begins.'),
        opens: text('Local time, HH:MM.'),
        closes: text('Local time, HH:MM. A time at or before `opens` is on the next day (R-35).'),
      }),
      'Weekly opening periods.',
    ),
    special_days: list(
      closed({
        date: date('The date.'),
        opens: orNull(text('Local time, HH:MM.')),
        closes: orNull(text('Local time, HH:MM.')),
      }),
      'Dates whose hours replace the weekly periods.',
    ),
    formatted: list(text('One line.'), 'Opening hours as text, in the wording of the source.'),
    timezone: orNull(text('IANA time zone of the times.')),
  },
  'Opening hours.',
)

const Accommodation = closed(
  {
    brand: orNull(text('Brand.')),
    chain: orNull(text('Chain.')),
    star_rating: orNull(number('Number of stars.')),
    room_count: orNull(count('Number of rooms.')),
    prices: list(
      closed({
        currency: orNull(text('ISO 4217 code.')),
        min_rate: orNull(number('Lowest rate per night.')),
        max_rate: orNull(number('Highest rate per night.')),
      }),
      'Typical room rates.',
    ),
  },
  'Details of a hotel or other accommodation.',
)

const AnyImage = closed(
  { key: orNull(text('Key of the image.')), url: orNull(text('URL of the image.')) },
  'An image, with the key and URL that its source gives.',
)

const ImageUrl = closed({ key: text('Key of the image.'), url: webAddress('URL of the image.') }, 'An image.')

const Award = closed(
  {
    type: orNull(text('Key of the award.')),
    name: orNull(text('Name.')),
    category: orNull(text('Award category.')),
    geo: orNull(text('Area that the award applies to.')),
    year: orNull(count('Year of the award.')),
    image: orEmpty(ref('AnyImage')),
  },
  'An award.',
)

const Ranking = closed(
  {
    rank: orNull(count('Position; 1 is the best.')),
    total: orNull(count('Number of places in the ranking.')),
    category: orNull(text('Kind of places in the ranking.')),
    geo: orNull(text('Area of the ranking.')),
    geo_id: orNull(long('Id of the area.')),
    display_text: orNull(text('The ranking in words.')),
  },
  'Position of the place in a ranking.',
)

/** Returns the schema of traveler_ratings: everything is inside `overall`, and subratings have no icon_url or type_name (SPEC §9.5). */
const travelerRatings = (icon: TSchema) =>
  closed(
    {
      overall: closed(
        {
          rating: orNull(rating('Average rating.')),
          count: orNull(count('Number of ratings.')),
          icon_url: orNull(icon),
          subratings: list(
            closed({
              type: text('Subrating category key.'),
              rating: rating('Average rating.'),
              count: orNull(count('Number of ratings.')),
            }),
            'Ratings by aspect.',
          ),
          breakdowns: list(
            closed({
              rating: rating('Rating value.'),
              count: count('Number of ratings with this value.'),
              rating_name: orNull(text('Name of the rating value.')),
            }),
            'Number of ratings by value, best first.',
          ),
          language_counts: list(
            closed({
              language: text('Language tag with an underscore before the region, such as es_MX.'),
              count: count('Number of reviews.'),
            }),
            'Number of reviews by language.',
          ),
        },
        'Overall rating summary.',
      ),
    },
    'Ratings by travelers.',
  )

const Location = closed(
  {
    id: long('Id of the location, a 64-bit integer.'),
    names: list(ref('MarkedText'), 'Names.'),
    descriptions: list(ref('PlainText'), 'Descriptions.'),
    geo: orNull(text('Name of the area that contains the place.')),
    geo_id: orNull(long('Id of the area that contains the place.')),
    status: orEmpty(ref('Status')),
    addresses: list(ref('Address'), 'Addresses.'),
    coordinates: closed(
      {
        latitude: number('Degrees, north positive.', { minimum: -90, maximum: 90 }),
        longitude: number('Degrees, east positive.', { minimum: -180, maximum: 180 }),
      },
      'WGS 84 coordinates.',
    ),
    categories: list(ref('Category'), 'Categories, the main one first.'),
    attributes: list(
      closed({
        id: text('Key of the attribute.'),
        name: text('Human-readable name.'),
        type: orNull(text('Name of the attribute group.')),
        type_id: orNull(text('Key of the attribute group.')),
      }),
      'Attributes.',
    ),
    opening_hours: orEmpty(ref('OpeningHours')),
    phone_numbers: list(
      closed({ type: orNull(text('Type of the number.')), value: text('The number.') }),
      'Phone numbers.',
    ),
    official_email: orNull(text('E-mail address.')),
    urls: orEmpty(closed({ official: orNull(text('Official website.')), menu: orNull(text('Menu.')) })),
    price_level: orNull(oneOf(priceLevels, 'Price level.')),
    accommodation: orEmpty(ref('Accommodation')),
    recommended_visit_length: orNull(text('Recommended length of a visit.')),
    photos: orEmpty(closed({ total_count: count('Number of photos.') })),
    attributions: list(
      closed({
        source: orNull(text('Source to credit.')),
        license: orNull(text('Licence.')),
        url: orNull(text('URL of the source or licence.')),
      }),
      'Sources of the data that must be credited.',
    ),
    neighborhoods: list(closed({ geo_id: orNull(long('Id.')), name: text('Name.') }), 'Neighbourhoods.'),
    awards: list(ref('Award'), 'Awards.'),
    rankings: list(ref('Ranking'), 'Rankings.'),
    traveler_ratings: orEmpty(ref('TravelerRatings')),
    external_ids: list(
      closed({ source: text('Name of the external source.'), id: text('Id in that source.') }),
      'Ids of the place in other sources.',
    ),
  },
  'A location of v0 (SPEC §2.1, §9.5).',
)

const Review = closed(
  {
    id: Type.String({ pattern: '^[1-9][0-9]*$', description: 'A string in v0, a 64-bit integer from v1 on.' }),
    location_id: long('Id of the reviewed location.'),
    publish_ts: orNull(dateTime('Time of publication.')),
    travel_date: orNull(text('Date of the visit: YYYY-MM or YYYY-MM-DD.')),
    trip_type: orNull(oneOf(tripTypes, 'Kind of trip.')),
    rating: orNull(rating('Rating from 1 to 5.')),
    rating_icon_url: orNull(webAddress('Icon for the rating.')),
    title: list(ref('MarkedText'), 'Title.'),
    text: list(ref('MarkedText'), 'Text.'),
    url: orNull(text('URL of the review at its source.')),
    user: orEmpty(
      closed(
        {
          username: orNull(text('Name.')),
          avatar_url: orEmpty(ref('AnyImage')),
          geo: orNull(text('Home location of the author.')),
          geo_id: orNull(long('Id of the home location of the author.')),
        },
        'The author.',
      ),
    ),
    subratings: list(
      closed({ type: text('Subrating category key.'), rating: rating('Per-review value.') }),
      'Ratings of single aspects.',
    ),
    traveler_ratings: orEmpty(ref('ReviewTravelerRatings')),
    owner_response: orEmpty(
      closed(
        {
          id: orNull(long('Id of the response.')),
          text: list(ref('MarkedText'), 'Text of the response.'),
          publish_date: orNull(date('Date of publication.')),
          username: orNull(text('Author of the response.')),
        },
        "Response of the place's owner.",
      ),
    ),
  },
  'A review of v0 (SPEC §2.3, §9.5).',
)

const EnumValue = closed(
  {
    id: text('Enumeration and value, such as `category:hotel`.'),
    enum: oneOf(enumNames, 'Name of the enumeration.'),
    value: text('Value, as it appears in records.'),
    display_name: text('Human-readable name.'),
    hierarchy: list(text('Name.'), 'Categories only: names from the top of the category tree down.'),
    top_level_category: orNull(oneOf(topLevelCategories, 'Categories only: the top-level category.')),
  },
  'One value of an enumeration that records use.',
)

/** Schemas of the records in v0 feeds. The v0 HTTP interface is no longer documented. */
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
