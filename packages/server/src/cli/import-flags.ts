import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CategoryAssignment, parseCategoryAssignment } from '../domain/category-map.ts'
import { type FieldMapping, type ImportFormat, importFormats } from '../domain/import.ts'
import type { RecordKind } from '../domain/record-write.ts'
import { parseDuration } from './duration.ts'
import type { CommonFlags } from './options.ts'
import { type RecreateFlag, recreateOption } from './recreate-flag.ts'

/** The flags of `periplus import`. */
export interface ImportFlags extends CommonFlags, RecreateFlag {
  readonly kind?: 'locations' | 'reviews'
  readonly format?: ImportFormat
  readonly delimiter?: string
  readonly map?: readonly FieldMapping[]
  readonly source?: string
  readonly categoryMap?: string
  readonly category?: readonly CategoryAssignment[]
  readonly replace?: boolean
  readonly rejects?: string
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly index?: boolean
  /** Longest wait for another import, in milliseconds; false for `--no-wait`. */
  readonly wait?: number | false
}

export const kinds: Readonly<Record<string, RecordKind>> = { locations: 'location', reviews: 'review' }

/** Adds the flags to the command. */
export const withImportFlags = (command: Command): Command =>
  command
    .argument(
      '<file...>',
      'NDJSON, CSV, GeoJSON, Parquet or OpenStreetMap files; text may be gzipped; - for standard input',
    )
    .addOption(new Option('--kind <kind>', 'kind of the records (default: detected)').choices(Object.keys(kinds)))
    .addOption(new Option('--format <format>', 'format of the files (default: detected)').choices([...importFormats]))
    .option('--delimiter <character>', 'delimiter of CSV cells, or tab (default: detected)', delimiterOf)
    .option('--map <field=column>', 'column or property to read a field from; repeatable', mapping)
    .option('--source <name>', 'source of records without a source')
    .option('--category-map <file>', 'JSON or CSV file that assigns unknown categories to known ones')
    .option('--category <word=category>', 'category that an unknown one is assigned to; repeatable', assignment)
    .option('--replace', 'remove the records of --source that are not in the files')
    .option('--rejects <file>', 'file for rejected rows (default: in the data folder)')
    .option('--dry-run', 'show the detected format and what would change, without changing anything')
    .addOption(recreateOption())
    .option('--wait <duration>', 'longest wait for another import, such as 30m (default: until it ends)', parseDuration)
    .option('--no-wait', 'fail immediately if another import is running')
    .option('--no-index', 'leave the update of the search index to the service')
    .option(
      '--force',
      'continue if more than 10 % of rows are rejected; with --replace, remove more than 5 % of the source',
    )

/** Parses a field and its column. */
export function mapping(text: string, before: readonly FieldMapping[] = []): FieldMapping[] {
  const at = text.indexOf('=')
  const [field, from] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || from === '') throw new InvalidArgumentError('Must be field=column, as in --map name=title.')
  return [...before, { field, from }]
}

function assignment(text: string, before: readonly CategoryAssignment[] = []): CategoryAssignment[] {
  const parsed = parseCategoryAssignment(text)
  if (!parsed) throw new InvalidArgumentError('Must be word=category, as in --category izakaya=restaurant.')
  return [...before, parsed]
}

function delimiterOf(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t'
  if (text.length !== 1 || /["\r\n]/.test(text)) throw new InvalidArgumentError('Must be one character, or tab.')
  return text
}
