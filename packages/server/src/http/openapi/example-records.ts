import type { Suggestion } from '../../domain/autocomplete.ts'
import type { Location, LocationEntry } from '../../domain/location.ts'
import { type OwnedPhoto, ownPhotos } from '../../domain/photo.ts'
import type { PlaceChange } from '../../domain/place-change.ts'
import type { RatingSummary } from '../../domain/ratings.ts'
import type { Review } from '../../domain/review.ts'

const record: Location = {
  names: [
    { language: 'es', value: 'Museo del Alba', primary: true },
    { language: 'es-MX', value: 'Museo del Amanecer' },
    { language: 'en', value: 'Dawn Museum' },
  ],
  geo: 'Madrid',
  geoId: '77',
  status: { value: 'TEMPORARILY_CLOSED', closedDate: '2026-01-31', reopenDate: '2026-09-01' },
  addresses: [
    {
      streetAddress: 'Calle del Alba, 1',
      city: 'Madrid',
      postalCode: '28014',
      countryName: 'Spain',
      countryCode: 'ES',
      formatted: 'Calle del Alba, 1, 28014 Madrid, Spain',
    },
  ],
  coordinates: { latitude: 40.41381, longitude: -3.692524 },
  categories: [
    { id: 'museum', displayName: 'Museum', hierarchy: ['Attractions', 'Museum'], topLevelCategory: 'ATTRACTION' },
  ],
  openingHours: {
    periods: [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '17:00' }],
    specialDays: [{ date: '2026-12-25' }],
    timezone: 'Europe/Madrid',
  },
  urls: { official: 'https://alba.example/' },
  priceLevel: 'MODERATE',
  externalIds: [{ source: 'wikidata', id: 'Q1' }],
}

const ratings: RatingSummary = {
  overall: { rating: 4.6, count: 1200 },
  subratings: [{ type: 'value', rating: 4.5, count: 800 }],
  breakdowns: [
    { rating: 5, count: 900 },
    { rating: 4, count: 300 },
  ],
  languageCounts: [{ language: 'es-MX', count: 1200 }],
}

/** Location for the examples in the documents; each version presents it in its own shape. */
export const exampleLocation: LocationEntry = {
  id: 1n,
  source: 'atlas',
  country: 'ES',
  category: 'ATTRACTION',
  updatedMs: Date.UTC(2026, 0, 31, 12),
  location: () => record,
  ratings: () => ratings,
  derive: (_variant, make) => make(),
}

/** Review of the example location. */
export const exampleReview: Review = {
  id: 101n,
  locationId: 1n,
  publishedMs: Date.UTC(2026, 0, 3, 10),
  rating: 5,
  tripType: 'COUPLES',
  travelDate: '2025-12',
  title: [{ language: 'es', value: 'Perfecto', primary: true }],
  text: [{ language: 'es', value: 'Una maravilla.', primary: true }],
  user: { username: 'Zoe' },
  subratings: [{ type: 'value', rating: 5 }],
  ownerResponse: { text: [{ language: 'es', value: 'Gracias.', primary: true }], publishDate: '2026-01-04' },
}

/** Suggestions for `mus`, for the examples in the documents. */
export const exampleSuggestions: readonly Suggestion[] = [
  {
    type: 'location',
    id: 1n,
    name: { language: 'es', value: 'Museo del Alba' },
    highlights: [{ start: 0, length: 3 }],
    secondaryText: 'Madrid, Spain',
    categoryId: 'museum',
    coordinates: { latitude: 40.41381, longitude: -3.692524 },
    distanceKm: 1.25,
  },
  { type: 'category', text: 'Museums in Madrid', categoryIds: ['museum'], geoId: 77n },
]

/** Changes of locations, for the examples in the documents. */
export const exampleChanges: readonly PlaceChange[] = [
  { id: 1n, type: 'location.changed', atMs: Date.UTC(2026, 0, 31, 12) },
  { id: 2n, type: 'location.merged', mergedInto: 1n, atMs: Date.UTC(2026, 0, 31, 13) },
]

/** Photo of the example location. */
export const [examplePhoto] = ownPhotos({ origin: 'operator', id: 1n }, [
  {
    url: 'https://alba.example/photos/front.jpg',
    width: 1600,
    height: 1200,
    caption: 'The museum at dawn',
    attribution: 'Zoe Alba',
    license: 'CC-BY-4.0',
  },
]) as [OwnedPhoto]
