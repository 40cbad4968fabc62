import type { LocationEntry } from '../../domain/location.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { PresentContext } from '../primitives/format.ts'
import { address, category, coordinates, descriptions, longId, names, status, urls } from './location.ts'
import { createUrlIcons, overallRating } from './ratings.ts'

/** Presents a location with the reduced set of fields of the catalog (rulings: Operations). */
export function catalogLocation(entry: LocationEntry, context: PresentContext) {
  const l = entry.location()
  const ratings = entry.ratings(l)
  return {
    id: toLongJson(entry.id),
    names: names(l, context),
    descriptions: descriptions(l, context),
    addresses: l.addresses?.map(address),
    coordinates: coordinates(l),
    categories: l.categories.map(category),
    geo: l.geo,
    geo_id: longId(l.geoId),
    status: l.status && status(l.status),
    urls: urls(l),
    traveler_ratings: ratings?.overall && { overall: overallRating(ratings, createUrlIcons(context.publicUrl)) },
  }
}
