import type { GeoAncestor } from '../../domain/geo-contents.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { PresentedLocation } from './presented.ts'

/** Kinds of areas; the number of a kind is its place in this list, from 1. Terra does not publish its numbers. */
const geoTypes: readonly string[] = [
  'geo:continent',
  'geo:country',
  'geo:region',
  'geo:state',
  'geo:county',
  'geo:city',
  'geo:town',
  'geo:village',
  'geo:hamlet',
  'geo:locality',
  'geo:suburb',
  'geo:borough',
  'geo:neighbourhood',
  'geo:island',
]

/** Converts a city, region or country to the form of Terra, where it is no location. */
export function toTerraGeo(location: PresentedLocation, ancestors: readonly GeoAncestor[]) {
  const [category] = location.categories
  return {
    id: location.id,
    names: location.names,
    descriptions: location.descriptions ?? [],
    coordinates: location.coordinates,
    type: category && { id: geoTypes.indexOf(category.id) + 1, name: category.display_name },
    hierarchy: ancestors.length > 0 ? { ancestors: ancestors.map(toAncestor) } : undefined,
    attributions: location.attributions,
  }
}

const toAncestor = ({ id, name }: GeoAncestor, rank: number) => ({
  geo_id: id === undefined ? undefined : toLongJson(id),
  name,
  rank,
})
