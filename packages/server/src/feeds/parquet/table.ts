import type { SchemaElement } from 'hyparquet'
import type { FeedName } from '../../domain/feed.ts'
import { recordNames } from '../../versions/feed-lines.ts'
import type { Version } from '../../versions/version.ts'
import { type ColumnType, deriveType, describeType } from './column-type.ts'
import { createConverter } from './convert.ts'
import { type Box, toWkb } from './geometry.ts'
import { toElements } from './schema-elements.ts'

/** A record of a feed, parsed from its line. */
export type FeedRecord = Readonly<Record<string, unknown>>

/** A column of a table, and how its values are read from records. */
export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
  readonly isRequired: boolean
  read(record: FeedRecord, sha256: string): unknown
  /** False for values whose minimum and maximum help no query. */
  readonly hasStatistics: boolean
}

/** Members that are a text with JSON in tables: nobody computes with their parts. */
const jsonMembers = new Set(['opening_hours'])

/** Returns the columns of a feed in a version: `id`, shortcuts, all other members of records, technical ones. */
export function listColumns(feed: FeedName, version: Version): TableColumn[] {
  const components = version.feedSchemas
  const { properties } = components[recordNames[feed]] as unknown as { properties: Record<string, object> }
  const members = Object.entries(properties).map(([name, schema]) => memberColumn(name, schema, components))
  const isPlace = feed === 'locations' || feed === 'geos'
  const [id, ...others] = members
  return [id!, ...(isPlace ? shortcuts : []), ...others, ...(isPlace ? spatialColumns : []), digestColumn]
}

/** Returns the schema of a file with these columns. */
export const toFileSchema = (columns: readonly TableColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.flatMap(({ name, type, isRequired }) => toElements(name, type, isRequired ? 'REQUIRED' : 'OPTIONAL')),
]

/** Writes the columns of a feed in a version as text, a line each. */
export const describeColumns = (feed: FeedName, version: Version): string =>
  listColumns(feed, version)
    .map(({ name, type, isRequired }) => `${name} ${describeType(type)}${isRequired ? ' NOT NULL' : ''}\n`)
    .join('')

function memberColumn(name: string, schema: object, components: Version['feedSchemas']): TableColumn {
  const type: ColumnType = jsonMembers.has(name) ? { kind: 'json' } : deriveType(schema, components)
  const convert = createConverter(type)
  const read = convert ? (record: FeedRecord) => convert(record[name]) : (record: FeedRecord) => record[name]
  return { name, type, isRequired: name === 'id', read, hasStatistics: true }
}

/** The members of a location that shortcuts read, in the form that all versions share. */
interface Place {
  readonly names: readonly { readonly value: string; readonly primary: boolean }[]
  readonly categories: readonly { readonly id: string }[]
  readonly addresses?: readonly {
    readonly city?: string | null
    readonly state?: string | null
    readonly country_code?: string | null
  }[]
  readonly traveler_ratings?: { readonly overall?: { readonly rating?: number | null; readonly count?: number | null } }
  readonly coordinates: { readonly latitude: number; readonly longitude: number }
}

const shortcut = (name: string, type: ColumnType, read: (place: Place) => unknown): TableColumn => {
  const convert = createConverter(type)
  const readPlace = (record: FeedRecord) => read(record as unknown as Place)
  return {
    name,
    type,
    isRequired: false,
    read: convert ? record => convert(readPlace(record)) : readPlace,
    hasStatistics: true,
  }
}

const text: ColumnType = { kind: 'string' }
const double: ColumnType = { kind: 'double' }

const shortcuts: readonly TableColumn[] = [
  shortcut('name', text, ({ names }) => (names.find(({ primary }) => primary) ?? names[0])?.value),
  shortcut('category', text, ({ categories }) => categories[0]?.id),
  shortcut('city', text, ({ addresses }) => addresses?.[0]?.city),
  shortcut('state', text, ({ addresses }) => addresses?.[0]?.state),
  shortcut('country_code', text, ({ addresses }) => addresses?.[0]?.country_code),
  shortcut('rating', double, place => place.traveler_ratings?.overall?.rating),
  shortcut('rating_count', { kind: 'int64' }, place => place.traveler_ratings?.overall?.count),
]

/** Returns the box of the point of a place. */
export function readBox(record: FeedRecord): Box {
  const { longitude, latitude } = (record as unknown as Place).coordinates
  return { xmin: longitude, ymin: latitude, xmax: longitude, ymax: latitude }
}

const spatialColumns: readonly TableColumn[] = [
  {
    name: 'geometry',
    type: { kind: 'wkb' },
    isRequired: true,
    read: record => {
      const { xmin, ymin } = readBox(record)
      return toWkb(xmin, ymin)
    },
    hasStatistics: false,
  },
  {
    name: 'bbox',
    type: { kind: 'struct', members: ['xmin', 'ymin', 'xmax', 'ymax'].map(name => [name, double]) },
    isRequired: true,
    read: readBox,
    hasStatistics: true,
  },
]

/** The SHA-256 of the line of the record in NDJSON, from which `checksum_of_result` is computed. */
const digestColumn: TableColumn = {
  name: 'line_sha256',
  type: text,
  isRequired: true,
  read: (_record, sha256) => sha256,
  hasStatistics: false,
}
