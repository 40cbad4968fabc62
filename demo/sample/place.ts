/**
 * A location of the sample in the flat import format (docs/guides/import-data.md), with the fields that the sample
 * uses.
 */
export interface Place {
  source: string
  source_id: string
  name: string
  names?: Record<string, string>
  alt_name?: string
  category: string
  subcategories?: string[]
  tags?: string[]
  lat: number
  lon: number
  country?: string
  region?: string
  city?: string
  postal_code?: string
  address?: string
  phone?: string
  url?: string
  hours?: string
  opening_hours?: string
  timezone?: string
  descriptions?: Record<string, string>
  stars?: number
  rooms?: number
  population?: number
  iata?: string
  icao?: string
  wikidata?: string
  concordances?: Record<string, string | number>
  status?: 'OPEN' | 'CLOSED' | 'TEMPORARILY_CLOSED'
  closed_date?: string
  reopen_date?: string
  license: string
}

/** A generated review in the flat import format. */
export interface Review {
  source: string
  source_id: string
  place_source: string
  place_source_id: string
  rating: number
  title: string
  text: string
  lang: string
  published_date: string
  travel_date: string
  trip_type: 'BUSINESS' | 'COUPLES' | 'FAMILY' | 'FRIENDS' | 'SOLO' | 'NONE'
  subratings?: Record<string, number>
  owner_response?: string | { text: string; published_date: string; username: string }
  user_id: string
  user_name: string
  license: string
}

/** Returns the permanent key of a place: source and source_id. */
export const placeKey = (place: Pick<Place, 'source' | 'source_id'>): string => `${place.source}:${place.source_id}`
