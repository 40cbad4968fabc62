import { toCategoryId } from '../../domain/category.ts'
import type { Fields } from '../row.ts'
import { toNestedCategory } from './category-path.ts'
import { setField } from './cells.ts'
import type { KnownField, KnownTable } from './known-table.ts'

/** Columns of Foursquare OS Places (docs.foursquare.com, Places OS data schema) whose values need no conversion. */
const directFields = [
  { field: 'source_id', from: 'fsq_place_id' },
  { field: 'name', from: 'name' },
  { field: 'lat', from: 'latitude' },
  { field: 'lon', from: 'longitude' },
  { field: 'address', from: 'address' },
  { field: 'city', from: 'locality' },
  { field: 'region', from: 'region' },
  { field: 'postal_code', from: 'postcode' },
  { field: 'country', from: 'country' },
  { field: 'phone', from: 'tel' },
  { field: 'url', from: 'website' },
  { field: 'email', from: 'email' },
] as const

const convertedFields: readonly KnownField[] = [
  { field: 'status', from: ['date_closed'], note: 'CLOSED if present' },
  { field: 'closed_date', from: ['date_closed'] },
  { field: 'categories', from: ['fsq_category_labels'] },
  { field: 'city', from: ['post_town'], note: 'without locality' },
  { field: 'region', from: ['admin_region'], note: 'without region' },
  { field: 'attributes', from: ['date_refreshed', 'unresolved_flags'] },
  { field: 'external_ids', from: ['facebook_id', 'instagram', 'twitter'] },
  { field: 'attributions', from: ['placemaker_url'] },
]

const otherColumns = [
  'date_closed',
  'fsq_category_labels',
  'placemaker_url',
  'facebook_id',
  'instagram',
  'twitter',
  'geom',
  'post_town',
  'admin_region',
  'date_refreshed',
  'unresolved_flags',
]

/** Foursquare Open Source Places (Parquet). */
export const foursquare: KnownTable = {
  source: 'foursquare',
  matches: names => names.includes('fsq_place_id') && names.includes('name'),
  columns: [...directFields.map(({ from }) => from), ...otherColumns],
  fields: [...directFields.map(({ field, from }) => ({ field, from: [from] })), ...convertedFields],
  toRecord,
}

function toRecord(row: Fields): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const { field, from } of directFields) setField(record, field, row[from])
  if (record.lat === undefined || record.lon === undefined) setField(record, 'geometry', row.geom)
  record.city ??= row.post_town
  record.region ??= row.admin_region
  const closed = row.date_closed
  if (typeof closed === 'string' && closed !== '') {
    record.status = 'CLOSED'
    record.closed_date = closed
  }
  record.attributes = toAttributes(row)
  record.categories = parseLabels(row).flatMap(label => toNestedCategory(label.split(/\s*>\s*/)) ?? [])
  record.external_ids = ['facebook_id', 'instagram', 'twitter'].flatMap(name => {
    const value = row[name]
    return value === undefined || value === null || value === ''
      ? []
      : [{ source: name.replace('_id', ''), id: String(value) }]
  })
  const url = row.placemaker_url
  record.attributions = [
    {
      source: 'Foursquare OS Places',
      license: 'Apache-2.0',
      ...(typeof url === 'string' && { url }),
    },
  ]
  return record
}

/** Reads the columns for which locations have no field. */
function toAttributes({ date_refreshed: refreshed, unresolved_flags: flags }: Fields): object[] {
  const found: object[] = []
  if (typeof refreshed === 'string' && refreshed !== '')
    found.push({ id: 'date_refreshed', name: refreshed.slice(0, 10), type: 'Refreshed', type_id: 'date_refreshed' })
  for (const flag of Array.isArray(flags) ? flags : [flags])
    if (typeof flag === 'string' && flag !== '')
      found.push({
        id: `unresolved_flags.${toCategoryId(flag)}`,
        name: flag,
        type: 'Unresolved flag',
        type_id: 'unresolved_flags',
      })
  return found
}

/** Parses the labels, which are a list or the text of a list. */
function parseLabels({ fsq_category_labels: labels }: Fields): string[] {
  if (typeof labels === 'string')
    return labels
      .replace(/^\[|\]$/g, '')
      .split(/\s*[;|]\s*/)
      .filter(label => label !== '')
  return Array.isArray(labels) ? labels.filter(label => typeof label === 'string') : []
}
