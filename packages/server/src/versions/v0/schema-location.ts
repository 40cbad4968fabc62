import { int64Id, object, ref, string } from '../primitives/schema.ts'
import { list, orEmpty, orNull } from './schema-absent.ts'

/** The schema of a location in v0 (SPEC §2.1, §9.5). */
export const Location = object(
  {
    id: int64Id('Id of the location, a 64-bit integer.'),
    names: list(ref('MarkedText'), 'Names.'),
    descriptions: list(ref('PlainText'), 'Descriptions.'),
    geo: orNull(string('Name of the area that contains the place.')),
    geo_id: orNull(int64Id('Id of the area that contains the place.')),
    status: orEmpty(ref('Status')),
    addresses: list(ref('Address'), 'Addresses.'),
    coordinates: ref('Coordinates'),
    categories: list(ref('Category'), 'Categories, the main one first.'),
    attributes: list(ref('Attribute'), 'Attributes.'),
    opening_hours: orEmpty(ref('OpeningHours')),
    phone_numbers: list(ref('PhoneNumber'), 'Phone numbers.'),
    official_email: orNull(string('E-mail address.')),
    urls: orEmpty(ref('WebAddresses')),
    price_level: orNull(ref('PriceLevel')),
    accommodation: orEmpty(ref('Accommodation')),
    recommended_visit_length: orNull(string('Recommended length of a visit.')),
    photos: orEmpty(ref('Photos')),
    attributions: list(ref('Attribution'), 'Sources of the data that must be credited.'),
    neighborhoods: list(ref('Neighborhood'), 'Neighbourhoods that contain the place.'),
    awards: list(ref('Award'), 'Awards.'),
    rankings: list(ref('Ranking'), 'Rankings.'),
    traveler_ratings: orEmpty(ref('TravelerRatings')),
    external_ids: list(ref('ExternalId'), 'Ids of the place in other sources.'),
  },
  'A location of version 0.',
)
