import { statSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RecordKind } from '../domain/stores.ts'
import { type Format, formats } from '../ingest/formats/sniff.ts'
import { fieldsOf, isField } from '../ingest/mapping/column-names.ts'
import type { FieldMapping } from '../ingest/mapping/mapping.ts'
import type { CommonFlags } from './options.ts'
import { WrongUse } from './outcome.ts'

/** The flags of `periplus import` as they are parsed. */
export interface ImportFlags extends CommonFlags {
  readonly kind?: 'locations' | 'reviews'
  readonly format?: Format
  readonly delimiter?: string
  readonly map?: readonly FieldMapping[]
  readonly source?: string
  readonly replace?: boolean
  readonly rejects?: string
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly index?: boolean
}

export const kinds: Readonly<Record<string, RecordKind>> = { locations: 'location', reviews: 'review' }

/** Adds them to the command. */
export const withImportFlags = (command: Command): Command =>
  command
    .argument('<file...>', 'NDJSON, CSV, GeoJSON or Parquet files, text gzipped or not; - is standard input')
    .addOption(new Option('--kind <kind>', 'what the records are; guessed when left out').choices(Object.keys(kinds)))
    .addOption(new Option('--format <format>', 'what the files are; guessed when left out').choices([...formats]))
    .option('--delimiter <character>', 'what sets CSV cells apart, or tab; guessed when left out', delimiterOf)
    .option('--map <field=column>', 'which column or property a field is made of (again for more)', askedField)
    .option('--source <name>', 'source of records that name none')
    .option('--replace', 'the files are all that --source has: remove what it no longer has')
    .option('--rejects <file>', 'where rejected rows go (default: in the data folder)')
    .option('--dry-run', 'say what the files are and what would happen, and change nothing')
    .option('--no-index', 'leave the search index to the service')
    .option('--force', 'go on when more than 10 % are rejected, remove when more than 5 % are gone')

/** Refuses flags that do not go together. */
export function checkImportFlags(files: readonly string[], flags: ImportFlags): void {
  if (flags.rejects !== undefined && files.length > 1)
    throw new WrongUse('--rejects names one file: import the files one by one with it.')
  if (flags.rejects !== undefined && statSync(flags.rejects, { throwIfNoEntry: false })?.isDirectory())
    throw new WrongUse(`--rejects names a file, and ${flags.rejects} is a folder.`)
  if (flags.replace && flags.source === undefined)
    throw new WrongUse('--replace needs --source NAME: the source whose records the files are, all of them.')
  if (files.filter(file => file === '-').length > 1)
    throw new WrongUse('- stands for standard input, which can be read only once.')
}

function askedField(text: string, before: readonly FieldMapping[] = []): FieldMapping[] {
  const at = text.indexOf('=')
  const [field, from] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || from === '') throw new InvalidArgumentError('It is field=column, as in --map name=title.')
  if (!isField(field, 'location') && !isField(field, 'review')) {
    const fields = [...new Set([...fieldsOf('location'), ...fieldsOf('review')])].sort().join(', ')
    throw new InvalidArgumentError(`There is no field ${field}. The fields are: ${fields}.`)
  }
  if (before.some(one => one.field === field)) throw new InvalidArgumentError(`The field ${field} is given twice.`)
  return [...before, { field, from }]
}

function delimiterOf(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t'
  if (text.length !== 1 || /["\r\n]/.test(text)) throw new InvalidArgumentError('It is one character, or tab.')
  return text
}
