import { ancestorTypes, type GeoAncestor } from '../../domain/geo-contents.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { Json } from '../version.ts'
import { int64Id, listOf, object, oneOf, optional, ref, string } from './schema.ts'

/** Presents an area that a place is in; the same in all versions. */
export const presentAncestor = ({ type, id, name, code }: GeoAncestor): Json => ({
  type,
  id: id === undefined ? undefined : toLongJson(id),
  name,
  code,
})

const GeoAncestorSchema = object(
  {
    type: oneOf(ancestorTypes, 'Kind of area.'),
    id: optional(int64Id('Id of the location; missing if no location that the key may read is this area.')),
    name: string('Name of the area.'),
    code: optional(string('ISO 3166-1 alpha-2 code of a country, ISO 3166-2 code of a region.')),
  },
  'An area that a city, region or country is in.',
)

const Geo = object(
  {
    location: ref('Location'),
    ancestors: optional(listOf(ref('GeoAncestor'), 'The areas that it is in, the largest first.')),
    categories: optional(listOf(ref('ListedCategory'), 'The categories of the places in it, with their numbers.')),
    children: optional(
      listOf(
        ref('CatalogLocation'),
        'The areas directly in it: regions before counties before cities, and of one kind the most populous first.',
      ),
    ),
  },
  'A city, region or country with what it contains.',
)

/** Components of cities, regions and countries. */
export const geoComponents = {
  GeoAncestor: GeoAncestorSchema,
  Geo,
  GeoResponse: object({ data: ref('Geo'), pagination: ref('Pagination') }),
}
