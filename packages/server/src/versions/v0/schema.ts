import Type, { type TSchema } from 'typebox'
import { topLevelCategories } from '../../domain/category.ts'
import { enumNames } from '../../domain/enum-value.ts'
import { priceLevels } from '../../domain/location.ts'
import { daysOfWeek } from '../../domain/opening-hours.ts'
import { tripTypes } from '../../domain/review.ts'
import { count, date, dateTime, flag, int64Id, number, oneOf, rating, ref, string, uri } from '../primitives/schema.ts'
import { closedObject, list, orEmpty, orNull } from './schema-absent.ts'

const language = orNull(string('Language tag with an underscore before the region, such as es_MX.'))

const MarkedText = closedObject(
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
    value: string('State of the location. A free-form string; an enumeration from v1 on.'),
    closed_date: orNull(date('Date on which it closed.')),
    reopen_date: orNull(date('Date on which it is expected to reopen.')),
  },
  'Operating status of the location.',
)

const Address = closedObject(
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

const Category = closedObject(
  {
    id: string('Key of the category.'),
    display_name: string('Human-readable name.'),
    hierarchy: list(string('Name.'), 'Names of the categories from the top of the tree down to this one.'),
    top_level_category: oneOf(topLevelCategories, 'Top-level category.'),
  },
  'A category of the place.',
)

const OpeningHours = closedObject(
  {
    periods: list(
      closedObject({
        day_of_week: oneOf(daysOfWeek, 'Day on which the period starts.'),
        opens: string('Local time, HH:MM.'),
        closes: string('Local time, HH:MM. A time at or before `opens` is on the next day (R-35).'),
      }),
      'Weekly opening periods.',
    ),
    special_days: list(
      closedObject({
        date: date('The date.'),
        opens: orNull(string('Local time, HH:MM.')),
        closes: orNull(string('Local time, HH:MM.')),
      }),
      'Dates whose hours replace the weekly periods.',
    ),
    formatted: list(string('Line of text.'), 'Opening hours as text, in the wording of the source.'),
    timezone: orNull(string('IANA time zone of the times.')),
  },
  'Opening hours.',
)

const Accommodation = closedObject(
  {
    brand: orNull(string('Brand.')),
    chain: orNull(string('Chain.')),
    star_rating: orNull(number('Number of stars.')),
    room_count: orNull(count('Number of rooms.')),
    prices: list(
      closedObject({
        currency: orNull(string('ISO 4217 code.')),
        min_rate: orNull(number('Lowest rate per night.')),
        max_rate: orNull(number('Highest rate per night.')),
      }),
      'Typical room rates.',
    ),
  },
  'Details of a hotel or other accommodation.',
)

const AnyImage = closedObject(
  { key: orNull(string('Key of the image.')), url: orNull(string('URL of the image.')) },
  'An image, with the key and URL provided by its source.',
)

const ImageUrl = closedObject({ key: string('Key of the image.'), url: uri('URL of the image.') }, 'An image.')

const Award = closedObject(
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

const Ranking = closedObject(
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

/** Returns the schema of traveler_ratings: everything is inside `overall`, and subratings have no icon_url or type_name (SPEC §9.5). */
const travelerRatings = (icon: TSchema) =>
  closedObject(
    {
      overall: closedObject(
        {
          rating: orNull(rating('Average rating.')),
          count: orNull(count('Number of ratings.')),
          icon_url: orNull(icon),
          subratings: list(
            closedObject({
              type: string('Key of the subrating type.'),
              rating: rating('Average rating.'),
              count: orNull(count('Number of ratings.')),
            }),
            'Ratings by aspect.',
          ),
          breakdowns: list(
            closedObject({
              rating: rating('Rating value.'),
              count: count('Number of ratings with this value.'),
              rating_name: orNull(string('Name of the rating value.')),
            }),
            'Number of ratings of each value, highest first.',
          ),
          language_counts: list(
            closedObject({
              language: string('Language tag with an underscore before the region, such as es_MX.'),
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

const Location = closedObject(
  {
    id: int64Id('Id of the location, a 64-bit integer.'),
    names: list(ref('MarkedText'), 'Names.'),
    descriptions: list(ref('PlainText'), 'Descriptions.'),
    geo: orNull(string('Name of the area that contains the place.')),
    geo_id: orNull(int64Id('Id of the area that contains the place.')),
    status: orEmpty(ref('Status')),
    addresses: list(ref('Address'), 'Addresses.'),
    coordinates: closedObject(
      {
        latitude: number('Degrees, north positive.', { minimum: -90, maximum: 90 }),
        longitude: number('Degrees, east positive.', { minimum: -180, maximum: 180 }),
      },
      'WGS 84 coordinates.',
    ),
    categories: list(ref('Category'), 'Categories, the main one first.'),
    attributes: list(
      closedObject({
        id: string('Key of the attribute.'),
        name: string('Human-readable name.'),
        type: orNull(string('Name of the attribute group.')),
        type_id: orNull(string('Key of the attribute group.')),
      }),
      'Attributes.',
    ),
    opening_hours: orEmpty(ref('OpeningHours')),
    phone_numbers: list(
      closedObject({ type: orNull(string('Type of the number.')), value: string('The number.') }),
      'Phone numbers.',
    ),
    official_email: orNull(string('E-mail address.')),
    urls: orEmpty(closedObject({ official: orNull(string('Official website.')), menu: orNull(string('Menu.')) })),
    price_level: orNull(oneOf(priceLevels, 'Price level.')),
    accommodation: orEmpty(ref('Accommodation')),
    recommended_visit_length: orNull(string('Recommended length of a visit.')),
    photos: orEmpty(closedObject({ total_count: count('Number of photos.') })),
    attributions: list(
      closedObject({
        source: orNull(string('Source to credit.')),
        license: orNull(string('Licence.')),
        url: orNull(string('URL of the source or licence.')),
      }),
      'Sources of the data that must be credited.',
    ),
    neighborhoods: list(closedObject({ geo_id: orNull(int64Id('Id.')), name: string('Name.') }), 'Neighbourhoods.'),
    awards: list(ref('Award'), 'Awards.'),
    rankings: list(ref('Ranking'), 'Rankings.'),
    traveler_ratings: orEmpty(ref('TravelerRatings')),
    external_ids: list(
      closedObject({ source: string('Name of the external source.'), id: string('Id in that source.') }),
      'Ids of the place in other sources.',
    ),
  },
  'A location of v0 (SPEC §2.1, §9.5).',
)

const Review = closedObject(
  {
    id: Type.String({
      pattern: '^[1-9][0-9]*$',
      description: 'Id of the review: a string in v0, a 64-bit integer from v1 on.',
    }),
    location_id: int64Id('Id of the reviewed location.'),
    publish_ts: orNull(dateTime('Time of publication.')),
    travel_date: orNull(string('Date of the visit: YYYY-MM or YYYY-MM-DD.')),
    trip_type: orNull(oneOf(tripTypes, 'Type of trip.')),
    rating: orNull(rating('Rating from 1 to 5 (R-41).')),
    rating_icon_url: orNull(uri('Icon of the rating.')),
    title: list(ref('MarkedText'), 'Title, by language.'),
    text: list(ref('MarkedText'), 'Text, by language.'),
    url: orNull(string('URL of the review at its source.')),
    user: orEmpty(
      closedObject(
        {
          username: orNull(string('Display name of the author.')),
          avatar_url: orEmpty(ref('AnyImage')),
          geo: orNull(string('Home location of the author.')),
          geo_id: orNull(int64Id('Id of the home location of the author.')),
        },
        'Author of the review.',
      ),
    ),
    subratings: list(
      closedObject({ type: string('Key of the subrating type.'), rating: rating('Rating of this aspect.') }),
      'Ratings of individual aspects.',
    ),
    traveler_ratings: orEmpty(ref('ReviewTravelerRatings')),
    owner_response: orEmpty(
      closedObject(
        {
          id: orNull(int64Id('Id of the response.')),
          text: list(ref('MarkedText'), 'Text of the response.'),
          publish_date: orNull(date('Date of publication.')),
          username: orNull(string('Author of the response.')),
        },
        "Response of the place's owner.",
      ),
    ),
  },
  'A review of v0 (SPEC §2.3, §9.5).',
)

const EnumValue = closedObject(
  {
    id: string('Enumeration and value, such as `category:hotel`.'),
    enum: oneOf(enumNames, 'Name of the enumeration.'),
    value: string('Value, as it appears in records.'),
    display_name: string('Human-readable name.'),
    hierarchy: list(string('Name.'), 'Categories only: names from the top of the category tree down.'),
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
  TravelerRatings: travelerRatings(uri('Icon of the rating.')),
  ReviewTravelerRatings: travelerRatings(ref('ImageUrl')),
}
