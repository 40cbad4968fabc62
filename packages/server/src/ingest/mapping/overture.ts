import { categoryDisplayName, toCategoryId } from '../../domain/category.ts'
import type { Fields } from '../row.ts'
import { toNestedCategory } from './category-path.ts'
import { setField } from './cells.ts'
import type { KnownField, KnownTable } from './known-table.ts'
import { valueAt } from './mapping.ts'
import { readSources } from './overture-sources.ts'

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
  'socials',
  'sources',
]

const fields: readonly KnownField[] = [
  { field: 'source_id', from: ['id'] },
  { field: 'name', from: ['names.primary'] },
  { field: 'names', from: ['names.common'] },
  { field: 'alt_name', from: ['names.rules'] },
  { field: 'lat, lon', from: ['geometry', 'bbox'], note: 'centre of bbox if there is no geometry' },
  { field: 'categories', from: ['taxonomy.hierarchy', 'categories.primary', 'basic_category'], note: 'first present' },
  { field: 'attributes', from: ['categories.alternate', 'taxonomy.alternates', 'confidence', 'brand'] },
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
  { field: 'external_ids', from: ['socials', 'sources'], note: 'ids of whole places' },
  { field: 'attributions', from: ['sources'], note: 'a dataset and licence each' },
]

/** The places theme of the Overture Maps Foundation (GeoParquet). */
export const overture: KnownTable = {
  source: 'overture',
  matches: names =>
    ['id', 'names', 'confidence'].every(name => names.includes(name)) &&
    ['categories', 'taxonomy', 'basic_category'].some(name => names.includes(name)),
  columns,
  fields,
  ofFeature: ({ id, properties, geometry }) => ({ ...(properties as Fields | undefined), id, geometry }),
  toRecord,
}

function toRecord(row: Fields): Record<string, unknown> {
  const brand = text(valueAt(row, 'brand.names.primary'))
  const address = (Array.isArray(row.addresses) ? (row.addresses[0] as Fields | null) : undefined) ?? {}
  const { attributions, externalIds } = readSources(row.sources, row.socials)
  const record: Record<string, unknown> = {
    source_id: row.id,
    name: valueAt(row, 'names.primary'),
    names: toMap(valueAt(row, 'names.common')),
    alt_name: list(valueAt(row, 'names.rules')).flatMap(rule => text((rule as Fields | null)?.value) ?? []),
    categories: [toNestedCategory(categoryPath(row))].filter(one => one !== undefined),
    attributes: toAttributes(row),
    status: row.operating_status,
    address: address.freeform,
    city: address.locality,
    region: stripCountry(text(address.region)),
    postal_code: address.postcode,
    country: address.country,
    accommodation: brand === undefined ? undefined : { brand },
    url: list(row.websites)[0],
    phone_numbers: list(row.phones).map(value => ({ value })),
    email: list(row.emails)[0],
    external_ids: externalIds,
    attributions,
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
  const wikidata = text(valueAt(row, 'brand.wikidata'))
  const name = text(valueAt(row, 'brand.names.primary'))
  return [
    ...(wikidata === undefined
      ? []
      : [{ id: `brand.${wikidata}`, name: name ?? wikidata, type: 'Brand', type_id: 'brand' }]),
    ...[...ids].map(id => ({
      id: `subcategory.${id}`,
      name: categoryDisplayName(id),
      type: 'Subcategory',
      type_id: 'subcategory',
    })),
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
