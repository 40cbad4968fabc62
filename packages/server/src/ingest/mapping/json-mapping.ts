import { parseId } from '../../domain/id.ts'
import { pointOf } from '../formats/geometry.ts'
import type { Fields, Rejection } from '../row.ts'
import { put } from './cells.ts'
import { fieldOfColumn, isField } from './column-names.ts'
import {
  checkColumns,
  type FieldMapping,
  fill,
  type Mapped,
  type Mapping,
  type MappingDescription,
  valueAt,
} from './mapping.ts'

/** Records by the names of their fields (rulings: Import format), and by what `--map` says besides. */
export function recordMapping(asked: readonly FieldMapping[]): Mapping {
  return {
    kind: undefined,
    apply: asked.length === 0 ? row => row : ({ record }) => fill({ ...record }, asked, from => valueAt(record, from)),
    describe: (rows, kind) => described(namesIn(rows), asked, name => (isField(name, kind) ? name : undefined)),
  }
}

/** GeoJSON features: properties by their names or likely ones, the place from the geometry, `id` as source_id. */
export function featureMapping(asked: readonly FieldMapping[]): Mapping {
  const fields = new Map<string, string | undefined>()
  const fieldOf = (name: string) => {
    if (!fields.has(name)) fields.set(name, likelyField(name))
    return fields.get(name)
  }
  return {
    kind: 'location',
    apply: ({ record }) => featureRecord(record, asked, fieldOf),
    describe: rows => {
      const names = [...namesIn(rows.map(propertiesOf))]
      const { fields: found, unused } = described(names, asked, fieldOf)
      const ids = rows.some(row => row.id !== undefined) ? [{ field: 'source_id', from: 'id of the feature' }] : []
      return { fields: [...ids, { field: 'lat, lon', from: 'geometry' }, ...found], unused }
    },
  }
}

/** A property's field; sources of coordinates are left to the geometry. */
function likelyField(name: string): string | undefined {
  if (isField(name, 'location')) return name
  const field = fieldOfColumn(name, 'location')?.field
  return field === 'coordinates' || field === 'geometry' ? undefined : field
}

function featureRecord(
  feature: Fields,
  asked: readonly FieldMapping[],
  fieldOf: (name: string) => string | undefined,
): Mapped {
  if (feature.type !== 'Feature') {
    const detail = 'This is no GeoJSON Feature: its type says something else.'
    return { record: {}, rejection: { reason: 'not_a_feature', field: 'type', detail } }
  }
  const properties = propertiesOf(feature)
  const record: Record<string, unknown> = {}
  const late: [field: string, value: unknown][] = []
  for (const [name, value] of Object.entries(properties)) {
    const field = fieldOf(name)
    if (field === name) record[name] = value
    else if (field !== undefined) late.push([field, value])
  }
  // A property of the field's own name is surer than one that is only likely.
  for (const [field, value] of late) {
    if (record[field] === undefined || record[field] === null) put(record, field, value)
  }
  keepKey(record, feature)
  const rejection = addPoint(record, feature)
  const mapped = fill(record, asked, from => valueAt(properties, from) ?? valueAt(feature, from))
  return rejection ? { record, rejection } : mapped
}

/** The feature's id is the source's; a property `id` is ours only if it can be. */
function keepKey(record: Record<string, unknown>, feature: Fields): void {
  const own = record.id
  if (own !== undefined && own !== null && parseId(String(own)) === undefined) {
    delete record.id
    record.source_id ??= String(own)
  }
  if (feature.id !== undefined && feature.id !== null) record.source_id = String(feature.id)
}

function addPoint(record: Record<string, unknown>, { geometry }: Fields): Rejection | undefined {
  if (geometry === undefined || geometry === null) return undefined
  const point = pointOf(geometry)
  if (point) {
    record.lon = point[0]
    record.lat = point[1]
    return undefined
  }
  if (record.lat !== undefined && record.lon !== undefined) return undefined
  const type = typeof geometry === 'object' && 'type' in geometry ? String(geometry.type) : 'geometry'
  return {
    reason: 'unsupported_geometry',
    field: 'geometry',
    detail: `No single point can be made of this ${type}; points, lines and areas are understood.`,
  }
}

const propertiesOf = (feature: Fields): Fields =>
  typeof feature.properties === 'object' && feature.properties !== null ? (feature.properties as Fields) : {}

/** Every name that one of the rows has. */
export const namesIn = (rows: readonly Fields[]): string[] => [...new Set(rows.flatMap(row => Object.keys(row)))]

function described(
  names: readonly string[],
  asked: readonly FieldMapping[],
  fieldOf: (name: string) => string | undefined,
): MappingDescription {
  if (names.length > 0) checkColumns(asked, names)
  const taken = new Set(asked.map(({ field }) => field))
  const fields = names.flatMap(name => {
    const field = fieldOf(name)
    return field === undefined || taken.has(field) ? [] : [{ field, from: name }]
  })
  const used = new Set([...asked, ...fields].map(({ from }) => from.split('.', 1)[0]))
  return { fields: [...asked, ...fields], unused: names.filter(name => !used.has(name)) }
}
