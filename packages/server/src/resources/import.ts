import type { PossibleDuplicates } from '../domain/duplicates.ts'
import type { Removal } from '../domain/full-sync.ts'
import { type ImportReport, type InputDescription, importFormats } from '../domain/import.ts'
import { placeClasses } from '../domain/place-class.ts'
import { count, Type } from '../kit/json-schema.ts'
import { toLongJson } from '../kit/long-json.ts'
import { closedObject, idNumber, type Resource } from './schema.ts'

const counts = Type.Record(Type.String(), count())
const frequentValues = Type.Array(closedObject({ value: Type.String(), count: count() }))
const kinds = Type.Enum(['locations', 'reviews'])

export const importSchema = closedObject({
  read: count(),
  added: count(),
  changed: count(),
  unchanged: count(),
  removed: count(),
  rejected: count(),
  /** Rejected rows by reason. */
  reasons: counts,
  /** Dropped or defaulted values by note. */
  notes: counts,
  /** The most frequent values that are in none of the tables. Rows with an unknown status are rejected. */
  unknown: Type.Optional(
    closedObject({ categories: frequentValues, statuses: frequentValues, countries: frequentValues }),
  ),
  seconds: Type.Number({ minimum: 0 }),
  dry_run: Type.Boolean(),
  /** Messages that suggest the cause of many rejected rows. */
  advice: Type.Optional(Type.Array(Type.String())),
  replaced: Type.Optional(
    closedObject({
      source: Type.String(),
      removals: Type.Array(
        closedObject({ kind: Type.Enum(['location', 'review']), stored: count(), gone: count(), removed: count() }),
      ),
    }),
  ),
  /** Places of two sources that have one name and are close; `periplus dedupe` compares them. */
  possible_duplicates: Type.Optional(
    Type.Array(
      closedObject({
        sources: Type.Array(Type.String()),
        class: Type.Enum(placeClasses),
        count: count(),
        examples: Type.Array(Type.Array(idNumber())),
      }),
    ),
  ),
  /** The detected properties of each file. Only a dry run has samples. */
  files: Type.Optional(
    Type.Array(
      closedObject({
        file: Type.String(),
        format: Type.Optional(Type.Enum([...importFormats, 'rows'])),
        kind: Type.Optional(kinds),
        source: Type.Optional(Type.String()),
        mapping: Type.Optional(Type.Array(closedObject({ field: Type.String(), column: Type.String() }))),
        encoding: Type.Optional(Type.String()),
        /** Number of elements of a map that are not places. */
        skipped: Type.Optional(count()),
        unused_columns: Type.Optional(Type.Array(Type.String())),
        sample: Type.Array(Type.Unsafe<object>({ type: 'object' })),
      }),
    ),
  ),
})
export type ImportResource = Resource<typeof importSchema>

/** The result of an import. */
interface Imported {
  readonly inputs: readonly {
    readonly file: string
    readonly description: InputDescription | undefined
    readonly samples: readonly object[]
  }[]
  readonly total: ImportReport
  readonly dryRun: boolean
  readonly replacedSource: string | undefined
  readonly removals: readonly Removal[]
  readonly possibleDuplicates: readonly PossibleDuplicates[]
}

/** Presents the result of an import. */
export function importResource(imported: Imported): ImportResource {
  const { inputs, total, dryRun, replacedSource, removals, possibleDuplicates } = imported
  const { stopped: _, unknown, ...report } = total
  const unknownValues = unknownResource(unknown)
  const advice = adviceOf(total)
  return {
    ...report,
    ...(unknownValues && { unknown: unknownValues }),
    dry_run: dryRun,
    ...(advice.length > 0 && { advice }),
    ...(replacedSource !== undefined && {
      replaced: { source: replacedSource, removals: removals.map(removalResource) },
    }),
    ...(possibleDuplicates.length > 0 && { possible_duplicates: possibleDuplicates.map(duplicatesResource) }),
    ...(inputs.length > 0 && { files: inputs.map(input => fileResource(input, dryRun)) }),
  }
}

const duplicatesResource = ({ sources, class: placeClass, count, examples }: PossibleDuplicates) => ({
  sources: [...sources],
  class: placeClass,
  count,
  examples: examples.map(pair => pair.map(toLongJson)),
})

const removalResource = ({ kind, stored, missing, removed }: Removal) => ({ kind, stored, gone: missing, removed })

/** Number of unknown values of a kind that a report names. */
const namedValues = 20

/** Returns the most frequent values of a kind, the most frequent first. */
const mostFrequent = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, namedValues)
    .map(([value, times]) => ({ value, count: times }))

function unknownResource({ category, status, country }: ImportReport['unknown']): ImportResource['unknown'] {
  if (category.size + status.size + country.size === 0) return undefined
  return { categories: mostFrequent(category), statuses: mostFrequent(status), countries: mostFrequent(country) }
}

const fileResource = ({ file, description, samples }: Imported['inputs'][number], dryRun: boolean) => ({
  file,
  ...(description && {
    format: description.format,
    kind: `${description.kind}s` as const,
    source: description.source,
    mapping: description.fields.map(({ field, from }) => ({ field, column: from })),
    ...(description.encoding !== undefined && { encoding: description.encoding }),
    ...(description.skipped !== undefined && { skipped: description.skipped }),
    unused_columns: [...description.unused],
  }),
  sample: dryRun ? [...samples] : [],
})

/** Returns messages that suggest a cause that explains many rejected rows. */
function adviceOf({ reasons }: ImportReport): string[] {
  if (reasons.copy_text_format === undefined) return []
  return [
    "The input looks like COPY's text format, which doubles every backslash. Even accepted rows may contain wrong line ends and quotes. Use psql -At with SELECT row_to_json(…), as docs/guides/from-postgres.md shows, and import again.",
  ]
}
