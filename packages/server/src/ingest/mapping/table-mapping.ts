import { parseId } from '../../domain/id.ts'
import type { FieldMapping } from '../../domain/import.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { toPoint } from '../formats/geometry.ts'
import { parsePoint } from './cells.ts'
import { guessField } from './column-names.ts'
import { checkColumns, type Mapping, setFields, UnclearInput, valueAt } from './mapping.ts'

/** A column of a table. */
export interface SourceColumn {
  readonly name: string
  /** Values of the first rows. */
  readonly samples: readonly unknown[]
}

/**
 * Creates the mapping of a table from the names of its columns and the requested fields. Throws UnclearInput if the
 * kind cannot be determined, or if the key or a required field is missing.
 */
export function createTableMapping(
  columns: readonly SourceColumn[],
  requested: readonly FieldMapping[],
  givenKind: RecordKind | undefined,
): Mapping {
  const names = columns.map(column => column.name)
  checkColumns(requested, names)
  const kind = givenKind ?? guessKindOfTable(columns, requested)
  const fields = assignColumns(kind, columns, requested)
  const missing = findMissingFields(kind, fields)
  if (missing.length > 0)
    throw new UnclearInput('missing_fields', `No column was found for the ${missing.join(', ')} of a ${kind}.`, names)
  const used = new Set(fields.map(({ from }) => (names.includes(from) ? from : from.split('.', 1)[0]!)))
  const unused = names.filter(name => !used.has(name))
  return {
    kind,
    columns: [...used],
    apply: ({ record }) => setFields({}, fields, from => valueAt(record, from)),
    describe: () => ({ fields, unused }),
    unused: () => unused,
  }
}

/** Guesses the kind whose required fields the table has. Tries locations first: reviews rarely have coordinates. */
function guessKindOfTable(columns: readonly SourceColumn[], requested: readonly FieldMapping[]): RecordKind {
  for (const kind of ['location', 'review'] as const) {
    const fields = assignColumns(kind, columns, requested)
    if (findMissingFields(kind, fields, { allowDeletions: false }).length === 0) return kind
  }
  const has = (kind: RecordKind, field: string) =>
    assignColumns(kind, columns, requested).some(one => one.field === field)
  const isReview = (has('review', 'text') || has('review', 'rating')) && has('review', 'place_source_id')
  const isLocation = has('location', 'name') || has('location', 'lat')
  if (isReview !== isLocation) return isReview ? 'review' : 'location'
  throw new UnclearInput(
    'unknown_kind',
    'Cannot determine whether the rows are locations or reviews.',
    columns.map(column => column.name),
  )
}

/** Returns the requested fields and, for each other field, the column with the most reliable name. */
function assignColumns(
  kind: RecordKind,
  columns: readonly SourceColumn[],
  requested: readonly FieldMapping[],
): FieldMapping[] {
  const requestedFields = new Set(requested.map(({ field }) => field))
  const requestedColumns = new Set(requested.map(({ from }) => from))
  const best = new Map<string, { from: string; rank: number }>()
  for (const column of columns) {
    const found = guessField(column.name, kind)
    if (!found || requestedColumns.has(column.name)) continue
    const field = checkSamples(found.field, column)
    if (field === undefined || requestedFields.has(field)) continue
    const rank = field === found.field ? found.rank : found.rank + 100
    const previous = best.get(field)
    if (!previous || rank < previous.rank) best.set(field, { from: column.name, rank })
  }
  const isMapped = (field: string) => best.has(field) || requestedFields.has(field)
  if (isMapped('lat') && isMapped('lon')) for (const pair of ['coordinates', 'geometry']) best.delete(pair)
  return [...requested, ...[...best].map(([field, { from }]) => ({ field, from }))]
}

/** Returns the field that fits the values of a column; undefined if they do not match the column's name. */
function checkSamples(field: string, { samples }: SourceColumn): string | undefined {
  const values = samples.filter(value => value !== undefined && value !== null && value !== '')
  if (field === 'coordinates' || field === 'geometry') {
    const isPoint = (value: unknown) => (typeof value === 'string' ? parsePoint(value) : toPoint(value)) !== undefined
    return values.some(isPoint) ? field : undefined
  }
  // An id that is not a valid Periplus id is a source id.
  if (field === 'id') return values.every(value => parseId(String(value).trim()) !== undefined) ? 'id' : 'source_id'
  return field
}

/** Returns the required fields that a table of this kind lacks. A table of deletions requires only the key. */
function findMissingFields(
  kind: RecordKind,
  fields: readonly FieldMapping[],
  { allowDeletions } = { allowDeletions: true },
): string[] {
  const found = new Set(fields.map(({ field }) => field))
  const any = (...names: readonly string[]) => names.some(name => found.has(name))
  const key = any('id', 'source_id') ? [] : ['id or source_id']
  if (allowDeletions && any('deleted', 'merged_into', 'merged_into_source_id')) return key
  if (kind === 'review') {
    return [
      ...key,
      ...(any('text', 'rating') ? [] : ['text or rating']),
      ...(any('location_id', 'place_source_id') ? [] : ['location_id or place_source_id']),
    ]
  }
  const lat = any('lat', 'latitude', 'coordinates', 'geometry')
  const lon = any('lon', 'longitude', 'coordinates', 'geometry')
  return [...key, ...(any('name', 'names') ? [] : ['name']), ...(lat ? [] : ['lat']), ...(lon ? [] : ['lon'])]
}
