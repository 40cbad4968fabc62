import { parseId } from '../../domain/id.ts'
import type { FieldMapping, MappingDescription, Rejection } from '../../domain/import.ts'
import { toPoint } from '../formats/geometry.ts'
import type { Fields } from '../row.ts'
import { setField } from './cells.ts'
import { guessField, guessRecordField, isField } from './column-names.ts'
import { FieldNames } from './field-names.ts'
import { checkColumns, type Mapped, type Mapping, setFields, valueAt } from './mapping.ts'

/**
 * Creates the mapping of NDJSON records: fields by name (rulings: Import format), or by a common alternative if the
 * record lacks the field, and the requested mappings.
 */
export function createRecordMapping(requested: readonly FieldMapping[]): Mapping {
  const names = {
    location: new FieldNames(name => guessRecordField(name, 'location')),
    review: new FieldNames(name => guessRecordField(name, 'review')),
  }
  const used = usedNames(requested)
  return {
    kind: undefined,
    apply: ({ record }, kind) => {
      const named = kind === undefined ? record : withLikelyFields(record, name => names[kind].fieldOf(name))
      if (requested.length === 0) return { record: named }
      return setFields({ ...named }, requested, from => valueAt(record, from))
    },
    describe: (rows, kind) => describeNames(collectNames(rows), requested, name => names[kind].fieldOf(name)),
    unused: () => [...new Set([...names.location.unused(used), ...names.review.unused(used)])],
  }
}

/** Returns a record whose members with alternative names are set as the fields that it lacks. */
function withLikelyFields(record: Fields, fieldOf: (name: string) => string | undefined): Fields {
  let named: Record<string, unknown> | undefined
  for (const name in record) {
    const field = fieldOf(name)
    if (field === undefined || field === name || typeof record[name] === 'object') continue
    const [whole = ''] = field.split('.', 1)
    const own = (named ?? record)[whole]
    // A list of names has languages of its own.
    if (own !== undefined && (field === whole || Array.isArray(own))) continue
    named ??= { ...record }
    setField(named, field, record[name])
  }
  return named ?? record
}

/**
 * Creates the mapping of GeoJSON features: properties by exact or likely field names, coordinates from the geometry,
 * the feature's id as source_id, and the requested mappings.
 */
export function createFeatureMapping(requested: readonly FieldMapping[]): Mapping {
  const known = new FieldNames(likelyField)
  const fieldOf = (name: string) => known.fieldOf(name)
  return {
    kind: 'location',
    apply: ({ record }) => featureRecord(record, requested, fieldOf),
    describe: rows => {
      const names = collectNames(rows.map(propertiesOf))
      const { fields: found, unused } = describeNames(names, requested, fieldOf)
      const ids = rows.some(row => row.id !== undefined) ? [{ field: 'source_id', from: 'id of the feature' }] : []
      return { fields: [...ids, { field: 'lat, lon', from: 'geometry' }, ...found], unused }
    },
    unused: () => known.unused(usedNames(requested)),
  }
}

/** Returns the likely field of a property; undefined for coordinates, which come from the geometry. */
function likelyField(name: string): string | undefined {
  if (isField(name, 'location')) return name
  const field = guessField(name, 'location')?.field
  return field === 'coordinates' || field === 'geometry' ? undefined : field
}

function featureRecord(
  feature: Fields,
  requested: readonly FieldMapping[],
  fieldOf: (name: string) => string | undefined,
): Mapped {
  if (feature.type !== 'Feature') {
    const detail = 'The object is not a GeoJSON Feature: its type is not "Feature".'
    return { record: {}, rejection: { reason: 'not_a_feature', field: 'type', detail } }
  }
  const properties = propertiesOf(feature)
  const record: Record<string, unknown> = {}
  const likely: [field: string, value: unknown][] = []
  for (const [name, value] of Object.entries(properties)) {
    const field = fieldOf(name)
    if (field === name) record[name] = value
    else if (field !== undefined) likely.push([field, value])
  }
  // A property with the exact field name takes precedence over a likely name.
  for (const [field, value] of likely) {
    if (record[field] === undefined || record[field] === null) setField(record, field, value)
  }
  setKey(record, feature)
  const rejection = setPoint(record, feature)
  const mapped = setFields(record, requested, from => valueAt(properties, from) ?? valueAt(feature, from))
  return rejection ? { record, rejection } : mapped
}

/** Sets source_id to the id of the feature, or else to a property `id` that is not a valid id. */
function setKey(record: Record<string, unknown>, feature: Fields): void {
  const own = record.id
  if (own !== undefined && own !== null && parseId(String(own)) === undefined) {
    delete record.id
    record.source_id ??= String(own)
  }
  if (feature.id !== undefined && feature.id !== null) record.source_id = String(feature.id)
}

function setPoint(record: Record<string, unknown>, { geometry }: Fields): Rejection | undefined {
  if (geometry === undefined || geometry === null) return undefined
  const point = toPoint(geometry)
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
    detail: `Cannot determine a point from this ${type}. Points, lines and areas are supported.`,
  }
}

const propertiesOf = (feature: Fields): Fields =>
  typeof feature.properties === 'object' && feature.properties !== null ? (feature.properties as Fields) : {}

const usedNames = (requested: readonly FieldMapping[]): Set<string> =>
  new Set(requested.map(({ from }) => from.split('.', 1)[0]!))

/** Returns the names of all members of the rows. */
const collectNames = (rows: readonly Fields[]): string[] => [...new Set(rows.flatMap(row => Object.keys(row)))]

function describeNames(
  names: readonly string[],
  requested: readonly FieldMapping[],
  fieldOf: (name: string) => string | undefined,
): MappingDescription {
  if (names.length > 0) checkColumns(requested, names)
  const requestedFields = new Set(requested.map(({ field }) => field))
  const fields = names.flatMap(name => {
    const field = fieldOf(name)
    return field === undefined || requestedFields.has(field) ? [] : [{ field, from: name }]
  })
  const used = new Set([...requested, ...fields].map(({ from }) => from.split('.', 1)[0]))
  return { fields: [...requested, ...fields], unused: names.filter(name => !used.has(name)) }
}
