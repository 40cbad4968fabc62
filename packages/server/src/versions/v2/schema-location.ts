import { int64Id, listOf, object, optional, ref, string } from '../primitives/schema.ts'

/** Members of both `Location` and `CatalogLocation`. */
const sharedMembers = {
  id: int64Id('Id of the location. Store it as a 64-bit integer.'),
  names: listOf(ref('LocalizedText'), 'Names; the primary name is always included.'),
  descriptions: optional(listOf(ref('PlainText'), 'Descriptions.')),
  addresses: optional(listOf(ref('Address'), 'Addresses.')),
  coordinates: ref('Coordinates'),
  categories: listOf(ref('Category'), 'Categories, the main one first.'),
  geo: optional(string('Name of the area that contains the place.')),
  geo_id: optional(int64Id('Id of the area that contains the place.')),
  status: optional(ref('Status')),
  urls: optional(ref('WebAddresses')),
}

const Location = object(
  {
    ...sharedMembers,
    attributes: optional(listOf(ref('Attribute'), 'Attributes.')),
    opening_hours: optional(ref('OpeningHours')),
    phone_numbers: optional(listOf(ref('PhoneNumber'), 'Phone numbers.')),
    official_email: optional(string('E-mail address.')),
    price_level: optional(ref('LabelledPriceLevel')),
    accommodation: optional(ref('Accommodation')),
    recommended_visit_length: optional(string('Recommended length of a visit.')),
    photos: optional(ref('Photos')),
    attributions: optional(listOf(ref('Attribution'), 'Sources of the data that must be credited.')),
    neighborhoods: optional(listOf(ref('Neighborhood'), 'Neighbourhoods that contain the place.')),
    awards: optional(listOf(ref('Award'), 'Awards.')),
    rankings: optional(listOf(ref('Ranking'), 'Rankings.')),
    traveler_ratings: optional(ref('TravelerRatings')),
    external_ids: optional(listOf(ref('ExternalId'), 'Ids of the place in other sources.')),
  },
  'A location.',
)

const CatalogTravelerRatings = object({ overall: ref('OverallRating') }, 'Ratings by travelers: the summary only.')

const CatalogLocation = object(
  {
    ...sharedMembers,
    traveler_ratings: optional(ref('CatalogTravelerRatings')),
  },
  'A location with the reduced set of fields of the catalog.',
)

export const locationSchemas = { Location, CatalogLocation, CatalogTravelerRatings }
