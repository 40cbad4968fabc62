import { toCategoryId } from '../../domain/category.ts'
import type { Fields } from '../row.ts'
import { toNestedCategory } from './category-path.ts'
import { setField } from './cells.ts'
import type { KnownField, KnownTable } from './known-table.ts'
import { valueAt } from './mapping.ts'

/** Columns of Overture's places theme (docs.overturemaps.org, schema: places/place) that are read. */
const columns = [
  'id',
  'geometry',
  'bbox',
  'names',
  'categories',
  'taxonomy',
  'basic_category',
  'operating_status',
  'confidence',
  'addresses',
  'brand',
  'websites',
  'phones',
  'emails',
]

const fields: readonly KnownField[] = [
  { field: 'source_id', from: ['id'] },
  { field: 'name', from: ['names.primary'] },
  { field: 'names', from: ['names.common'] },
  { field: 'alt_name', from: ['names.rules'] },
  { field: 'lat, lon', from: ['geometry', 'bbox'], note: 'centre of bbox if there is no geometry' },
  { field: 'categories', from: ['taxonomy.hierarchy', 'categories.primary', 'basic_category'], note: 'first present' },
  { field: 'attributes', from: ['categories.alternate', 'taxonomy.alternates', 'confidence'] },
  { field: 'status', from: ['operating_status'] },
  { field: 'address', from: ['addresses.0.freeform'] },
  { field: 'city', from: ['addresses.0.locality'] },
  { field: 'region', from: ['addresses.0.region'] },
  { field: 'postal_code', from: ['addresses.0.postcode'] },
  { field: 'country', from: ['addresses.0.country'] },
  { field: 'accommodation.brand', from: ['brand.names.primary'] },
  { field: 'url', from: ['websites.0'] },
  { field: 'phone_numbers', from: ['phones'] },
  { field: 'email', from: ['emails.0'] },
]

const statuses: Readonly<Record<string, string>> = {
  open: 'OPEN',
  temporarily_closed: 'TEMPORARILY_CLOSED',
  permanently_closed: 'CLOSED',
}

/** The places theme of the Overture Maps Foundation (GeoParquet). */
export const overture: KnownTable = {
  source: 'overture',
  matches: names =>
    ['id', 'names', 'confidence'].every(name => names.includes(name)) &&
    ['categories', 'taxonomy', 'basic_category'].some(name => names.includes(name)),
  columns,
  fields,
  toRecord,
}

function toRecord(row: Fields): Record<string, unknown> {
  const status = text(row.operating_status)
  const brand = text(valueAt(row, 'brand.names.primary'))
  const record: Record<string, unknown> = {
    source_id: row.id,
    name: valueAt(row, 'names.primary'),
    names: toMap(valueAt(row, 'names.common')),
    alt_name: list(valueAt(row, 'names.rules')).flatMap(rule => text((rule as Fields | null)?.value) ?? []),
    categories: [toNestedCategory(categoryPath(row))].filter(one => one !== undefined),
    attributes: toAttributes(row),
    status: status === undefined ? undefined : (statuses[status] ?? status),
    address: valueAt(row, 'addresses.0.freeform'),
    city: valueAt(row, 'addresses.0.locality'),
    region: stripCountry(text(valueAt(row, 'addresses.0.region'))),
    postal_code: valueAt(row, 'addresses.0.postcode'),
    country: valueAt(row, 'addresses.0.country'),
    accommodation: brand === undefined ? undefined : { brand },
    url: valueAt(row, 'websites.0'),
    phone_numbers: list(row.phones).map(value => ({ value })),
    email: valueAt(row, 'emails.0'),
  }
  if (setField(record, 'geometry', row.geometry) || record.lat === undefined) setCentre(record, row.bbox)
  return record
}

/** Removes the country from a region: `US-CA` -> `CA`. */
const stripCountry = (region: string | undefined): string | undefined => region?.replace(/^[A-Z]{2}-/, '')

function categoryPath(row: Fields): string[] {
  const hierarchy = list(valueAt(row, 'taxonomy.hierarchy')).flatMap(step => text(step) ?? [])
  if (hierarchy.length > 0) return hierarchy
  const primary = text(valueAt(row, 'taxonomy.primary')) ?? text(valueAt(row, 'categories.primary'))
  return [primary ?? text(row.basic_category) ?? 'other']
}

function toAttributes(row: Fields): object[] {
  const alternates = [...list(valueAt(row, 'categories.alternate')), ...list(valueAt(row, 'taxonomy.alternates'))]
  const ids = new Set(alternates.flatMap(name => text(name) ?? []).map(toCategoryId))
  const { confidence } = row
  return [
    ...[...ids].map(id => ({ id: `subcategory.${id}`, name: id, type: 'Subcategory', type_id: 'subcategory' })),
    ...(typeof confidence === 'number'
      ? [{ id: 'confidence', name: confidence.toFixed(2), type: 'Confidence', type_id: 'confidence' }]
      : []),
  ]
}

function setCentre(record: Record<string, unknown>, bbox: unknown): void {
  if (typeof bbox !== 'object' || bbox === null) return
  const { xmin, xmax, ymin, ymax } = bbox as Record<string, unknown>
  if ([xmin, xmax, ymin, ymax].some(edge => typeof edge !== 'number')) return
  record.lon = ((xmin as number) + (xmax as number)) / 2
  record.lat = ((ymin as number) + (ymax as number)) / 2
}

/** Converts a Parquet map, which is an object or a list of keys and values depending on the writer. */
function toMap(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? undefined
  return Object.fromEntries(value.map((one: Fields) => [one.key, one.value]))
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
