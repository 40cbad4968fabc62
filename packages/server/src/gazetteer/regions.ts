import { hashText } from '../kit/hash-text.ts'
import { readRegionAsset } from './region-assets.ts'
import { isRegionOf } from './region-codes.ts'

/** Contents of the file of names: phrases (tokens joined by a space) and codes, each list joined by `|`. */
export interface RegionNamesFile {
  /** Regions by ISO 3166-2 code, with their names in all languages. */
  readonly names: Readonly<Record<string, string>>
  /** Codes and abbreviations of regions, in capitals: `VA`, `NSW`. */
  readonly codes: Readonly<Record<string, string>>
  /** Larger regions, such as England and Hauts-de-France, with the codes of the regions that they consist of. */
  readonly parents: Readonly<Record<string, string>>
}

/** Names of states and provinces as a hash table in shared memory. */
export interface RegionTable {
  /** ISO 3166-2 codes. */
  readonly codes: readonly string[]
  /** Regions that a number of `values` represents: itself, or the parts of a larger one. */
  readonly parts: readonly (readonly string[])[]
  /**
   * Hashes of phrases, or `isEmpty`, each at the first free index from `indexOf` on; a phrase of several regions is
   * repeated.
   */
  readonly keys: Float64Array
  /** Number of the region of each phrase, or `isBeginning`. */
  readonly values: Uint16Array
}

/** Value of a token that a phrase begins with. */
const isBeginning = 0xffff
/** Key of an index without a phrase. */
const isEmpty = -1
/** Number of different hashes, which have 53 bits. */
const hashes = 2 ** 53

/** Maximum number of tokens in the name of a region. */
export const longestRegionName = 5

/** Prefixes of hashed texts that distinguish codes and beginnings from names. */
const prefix = { name: '', code: '#', beginning: '^' } as const

let table: RegionTable | undefined

/** Returns the table; the first call takes about 60 ms to read it. */
export const regionTable = (): RegionTable => {
  table ??= readTable(JSON.parse(readRegionAsset('names.json').toString()) as RegionNamesFile)
  return table
}

/** Uses a table that another thread has read. */
export const useRegionTable = (read: RegionTable): void => {
  table ??= read
}

/**
 * Returns the ISO 3166-2 codes of the regions that a phrase names in one of many languages; a larger region is the
 * regions that it consists of. A phrase is its tokens joined by a space.
 */
export const regionsNamed = (phrase: string): readonly string[] => find(prefix.name + phrase)

/** Returns the regions with a code or abbreviation, such as VA or NSW, in capitals. */
export const regionsOfCode = (code: string): readonly string[] => find(prefix.code + code)

/** Returns true if a name of a region begins with a token. */
export function beginsRegionName(token: string): boolean {
  const { keys } = regionTable()
  return keys[indexOf(keys, hashText(prefix.beginning + token))] !== isEmpty
}

/** Returns the regions of a country that a word of a record means: a code, an abbreviation or a name. */
export function regionsOfWord(phrase: string, country: string): readonly string[] {
  const inCountry = (codes: readonly string[]) => codes.filter(code => isRegionOf(code, country))
  const named = inCountry(regionsNamed(phrase))
  if (named.length > 0) return named
  const code = phrase.replaceAll(' ', '').toUpperCase()
  const byCode = inCountry(regionsOfCode(code))
  return byCode.length > 0 || !code.startsWith(country) ? byCode : inCountry(regionsOfCode(code.slice(2)))
}

let english: Readonly<Record<string, string>> | undefined

/** Returns the English name of a region as it is shown, given its ISO 3166-2 code; undefined for an unknown one. */
export function nameRegion(code: string): string | undefined {
  english ??= JSON.parse(readRegionAsset('english.json').toString()) as Readonly<Record<string, string>>
  return english[code]
}

const none: readonly string[] = []

function find(text: string): readonly string[] {
  const { keys, values, parts } = regionTable()
  const key = hashText(text)
  const first = indexOf(keys, key)
  if (keys[first] === isEmpty) return none
  const next = indexOf(keys, key, first + 1)
  if (keys[next] === isEmpty) return parts[values[first]!]!
  const found = new Set(parts[values[first]!])
  for (let at = next; keys[at] !== isEmpty; at = indexOf(keys, key, at + 1))
    for (const code of parts[values[at]!]!) found.add(code)
  return [...found]
}

/** Returns the index at which the search for a key starts. */
const startOf = (keys: Float64Array, key: number): number => Math.floor((key / hashes) * keys.length)

/** Returns the first index of a key, starting at `from`; the first empty index if the table does not have the key. */
function indexOf(keys: Float64Array, key: number, from = startOf(keys, key)): number {
  let at = from % keys.length
  while (keys[at] !== key && keys[at] !== isEmpty) at = (at + 1) % keys.length
  return at
}

function readTable(file: RegionNamesFile): RegionTable {
  const codes = Object.keys(file.names)
  const numbers = new Map(codes.map((code, i) => [code, i]))
  const parts = codes.map(code => file.parents[code]?.split('|') ?? [code])
  const entries: [key: number, value: number][] = []
  const beginnings = new Set<string>()
  for (const [code, phrases] of Object.entries(file.names)) {
    // Without names, the list is empty.
    for (const phrase of phrases.split('|').filter(one => one !== '')) {
      entries.push([hashText(prefix.name + phrase), numbers.get(code)!])
      beginnings.add(phrase.split(' ', 1)[0]!)
    }
  }
  for (const [code, list] of Object.entries(file.codes)) {
    for (const one of list.split('|')) entries.push([hashText(prefix.code + one), numbers.get(code)!])
  }
  for (const token of beginnings) entries.push([hashText(prefix.beginning + token), isBeginning])
  // Twice as many indexes as entries keep the searches short.
  const keys = new Float64Array(new SharedArrayBuffer(16 * entries.length)).fill(isEmpty)
  const values = new Uint16Array(new SharedArrayBuffer(4 * entries.length))
  for (const [key, value] of entries) {
    const at = indexOf(keys, isEmpty, startOf(keys, key))
    keys[at] = key
    values[at] = value
  }
  return { codes, parts, keys, values }
}
