import type { LocationEntry } from '../../domain/location.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { PresentContext } from '../primitives/format.ts'
import { list, orEmpty, orNull } from './absent.ts'
import { address, category, coordinates, longId, names, status } from './location.ts'
import { createUrlIcon, overallRating } from './ratings.ts'

/** Presents a location with the reduced set of fields of the catalog (rulings: Operations). */
export function catalogLocation(entry: LocationEntry, context: PresentContext) {
  const l = entry.location()
  return {
    id: toLongJson(entry.id),
    names: names(l, context),
    addresses: list(l.addresses, address),
    coordinates: coordinates(l),
    categories: list(l.categories, category),
    geo: orNull(l.geo),
    geo_id: longId(l.geoId),
    status: orEmpty(l.status, status),
    traveler_ratings: orEmpty(entry.ratings(l), r => ({ overall: overallRating(r, createUrlIcon(context.publicUrl)) })),
  }
}
