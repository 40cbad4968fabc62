import { parseId } from '../../domain/id.ts'
import type { RecordKind } from '../../domain/stores.ts'
import { pointOf } from '../formats/geometry.ts'
import { pointOfText } from './cells.ts'
import { fieldOfColumn } from './column-names.ts'
import { checkColumns, type FieldMapping, fill, type Mapping, UnclearInput, valueAt } from './mapping.ts'

/** A column of a table, and what its first rows hold. */
export interface Column {
  readonly name: string
  readonly samples: readonly unknown[]
}

/**
 * The mapping of a table by the names of its columns, and by `--map`. Throws UnclearInput, with a sentence, where kind, key
 * or a needed field cannot be found.
 */
export function tableMapping(
  columns: readonly Column[],
  asked: readonly FieldMapping[],
  given: RecordKind | undefined,
): Mapping {
  const names = columns.map(column => column.name)
  checkColumns(asked, names)
  const kind = given ?? guessKind(columns, asked)
  const fields = fieldsFor(kind, columns, asked)
  const lacking = lackingIn(kind, fields)
  if (lacking.length > 0)
    throw new UnclearInput('missing_fields', `No column matches the ${lacking.join(', ')} of a ${kind}.`, names)
  const used = new Set(fields.map(({ from }) => (names.includes(from) ? from : from.split('.', 1)[0]!)))
  return {
    kind,
    columns: [...used],
    apply: ({ record }) => fill({}, fields, from => valueAt(record, from)),
    describe: () => ({ fields, unused: names.filter(name => !used.has(name)) }),
  }
}

/** Which of the two a table is whole as; places before reviews, which seldom have coordinates. */
function guessKind(columns: readonly Column[], asked: readonly FieldMapping[]): RecordKind {
  for (const kind of ['location', 'review'] as const) {
    const fields = fieldsFor(kind, columns, asked)
    if (lackingIn(kind, fields, { deletions: false }).length === 0) return kind
  }
  const has = (kind: RecordKind, field: string) => fieldsFor(kind, columns, asked).some(one => one.field === field)
  const isReview = (has('review', 'text') || has('review', 'rating')) && has('review', 'place_source_id')
  const isLocation = has('location', 'name') || has('location', 'lat')
  if (isReview !== isLocation) return isReview ? 'review' : 'location'
  throw new UnclearInput(
    'unknown_kind',
    'Cannot determine whether the rows are locations or reviews.',
    columns.map(column => column.name),
  )
}

function fieldsFor(kind: RecordKind, columns: readonly Column[], asked: readonly FieldMapping[]): FieldMapping[] {
  const spoken = new Set(asked.flatMap(({ field, from }) => [field, `column ${from}`]))
  const best = new Map<string, { from: string; rank: number; column: Column }>()
  for (const column of columns) {
    const found = fieldOfColumn(column.name, kind)
    if (!found || spoken.has(`column ${column.name}`)) continue
    const field = fitting(found.field, column)
    if (field === undefined || spoken.has(field)) continue
    const rank = field === found.field ? found.rank : found.rank + 100
    const before = best.get(field)
    if (!before || rank < before.rank) best.set(field, { from: column.name, rank, column })
  }
  const all = new Set([...best.keys(), ...asked.map(({ field }) => field)])
  if (all.has('lat') && all.has('lon')) for (const pair of ['coordinates', 'geometry']) best.delete(pair)
  const guessed = [...best].map(([field, { from }]) => ({ field, from }))
  return [...asked, ...guessed]
}

/** The field that the values of a column can be; undefined where its name misleads. */
function fitting(field: string, { samples }: Column): string | undefined {
  const values = samples.filter(value => value !== undefined && value !== null && value !== '')
  if (field === 'coordinates' || field === 'geometry') {
    const isPoint = (value: unknown) => (typeof value === 'string' ? pointOfText(value) : pointOf(value)) !== undefined
    return values.some(isPoint) ? field : undefined
  }
  // Ids of other systems are often no numbers: then they are the source's.
  if (field === 'id') return values.every(value => parseId(String(value).trim()) !== undefined) ? 'id' : 'source_id'
  return field
}

/** Words for what a table of this kind needs and does not have. */
function lackingIn(kind: RecordKind, fields: readonly FieldMapping[], { deletions } = { deletions: true }): string[] {
  const found = new Set(fields.map(({ field }) => field))
  const any = (...names: readonly string[]) => names.some(name => found.has(name))
  const key = any('id', 'source_id') ? [] : ['id or source_id']
  if (deletions && any('deleted', 'merged_into', 'merged_into_source_id')) return key
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
