import { parseLocale } from '../../domain/locale.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { fold } from '../../kit/fold.ts'
import { withLetterPairs } from '../../kit/letter-pairs.ts'
import { columnAliases, fieldsWithoutAliases } from './column-aliases.ts'
import { columnWords } from './column-words.ts'

const words = (text: string): string[] => text.split(/\s+/).filter(word => word !== '')

/** Normalises a name for comparison: `Post Code`, `post-code` and `POSTCODE` are equal. */
const normaliseName = (name: string): string => fold(name).replace(/[^\p{L}\p{M}\p{N}@]/gu, '')

/** Returns the spellings of a name: `länge` is written as `lange` and `laenge`, too. */
const spellingsOf = (name: string): string[] => [normaliseName(name), normaliseName(withLetterPairs(name))]

/** Rank of the first word in another language: English names are more reliable. */
const firstWordRank = 50

interface AliasIndex {
  /**
   * Field of each normalised name, and its rank: 0 for the name of the field itself, higher for less reliable names.
   */
  readonly byAlias: ReadonlyMap<string, { readonly field: string; readonly rank: number }>
  readonly fields: ReadonlySet<string>
}

const aliasIndex: Readonly<Record<RecordKind, AliasIndex>> = {
  location: buildAliasIndex('location'),
  review: buildAliasIndex('review'),
}

function buildAliasIndex(kind: RecordKind): AliasIndex {
  const byAlias = new Map<string, { field: string; rank: number }>()
  for (const [field, names] of Object.entries(columnAliases[kind])) {
    for (const [rank, name] of [field, ...words(names)].entries()) byAlias.set(normaliseName(name), { field, rank })
  }
  for (const [field, names] of Object.entries(columnWords[kind])) {
    for (const [i, name] of words(names).entries()) {
      for (const spelling of spellingsOf(name))
        if (!byAlias.has(spelling)) byAlias.set(spelling, { field, rank: firstWordRank + i })
    }
  }
  for (const field of words(fieldsWithoutAliases[kind])) {
    if (!byAlias.has(normaliseName(field))) byAlias.set(normaliseName(field), { field, rank: 0 })
  }
  return { byAlias, fields: new Set([...Object.keys(columnAliases[kind]), ...words(fieldsWithoutAliases[kind])]) }
}

/** Prefixes of columns that contain one language or type of a field: `name_en`, `description:fr`, `subrating.value`. */
const memberPrefixes: readonly (readonly [prefix: RegExp, field: string])[] = [
  [/^names?[_:. -](.+)$/i, 'names'],
  [/^descriptions?[_:. -](.+)$/i, 'descriptions'],
  [/^subratings?[_:. -](.+)$/i, 'subratings'],
]

/**
 * Suffixes that are language codes but usually mean something else: `name_id` is an id, not an Indonesian name.
 */
const ambiguousSuffixes = new Set(['id', 'no', 'alt', 'old', 'int', 'loc', 'raw', 'key', 'url'])

/** Returns the field that a column is likely to contain; a higher rank means a less reliable name. */
export function guessField(name: string, kind: RecordKind): { field: string; rank: number } | undefined {
  const found = aliasIndex[kind].byAlias.get(normaliseName(name))
  if (found) return found
  for (const [prefix, field] of memberPrefixes) {
    const suffix = prefix.exec(name.trim())?.[1]
    if (suffix === undefined || !aliasIndex[kind].fields.has(field)) continue
    if (field === 'subratings') return { field: `${field}.${suffix.toLowerCase()}`, rank: 1 }
    const language =
      ambiguousSuffixes.has(suffix.toLowerCase()) && !name.includes(':') ? undefined : parseLocale(suffix)
    if (language !== undefined) return { field: `${field}.${language}`, rank: 1 }
  }
  return undefined
}

/** Fields that identify, remove or merge a record; alternative names of these are never guessed in NDJSON. */
const exactFields = new Set([
  ...words(
    'id source source_id location_id place_source place_source_id user_id deleted merged_into coordinates geometry',
  ),
])

/** Common names of other things in JSON records. */
const ambiguousNames = new Set(words('type kind key label'))

/** Returns the field of a member of an NDJSON record: the one with its name, or a likely one. */
export function guessRecordField(name: string, kind: RecordKind): string | undefined {
  if (isField(name, kind)) return name
  const field = guessField(name, kind)?.field
  return field === undefined || exactFields.has(field) || ambiguousNames.has(name) ? undefined : field
}

/** Returns true if records of a kind have this field or member, such as `names` or `names.en`. */
export const isField = (field: string, kind: RecordKind): boolean =>
  aliasIndex[kind].fields.has(field) ||
  (/^(names|descriptions|subratings)\../.test(field) && aliasIndex[kind].fields.has(field.split('.', 1)[0]!))

/** Returns all fields of a kind in alphabetical order. */
export const listFields = (kind: RecordKind): readonly string[] => [...aliasIndex[kind].fields].sort()
