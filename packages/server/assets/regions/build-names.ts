import { longestRegionName, type RegionNamesFile } from '../../src/gazetteer/regions.ts'
import { tokens } from '../../src/kit/tokens.ts'
import { codeOf, type Feature, type Features } from './build-borders.ts'
import { parentsOf, subdivisionOf } from './build-parents.ts'
import { largerNames } from './larger-names.ts'
import { withoutTypeWords } from './type-words.ts'

/** Names of subdivisions in one language by code: `frhdf`. */
export type Subdivisions = Readonly<Record<string, string>>

/** Number of countries from which a name is a word such as "Central" that says nothing. */
const genericFrom = 4

/** Names of a region by language; several of one language are separated by `|`. */
export type LocalNames = ReadonlyMap<string, readonly string[]>

/** Collects the names and codes of all regions and of larger ones; `cldr` has names of subdivisions by language. */
export function namesOf({ features }: Features, cldr: ReadonlyMap<string, Subdivisions>): RegionNamesFile {
  const english = cldr.get('en')!
  const parents = parentsOf(features, english)
  const local = new Map<string, Map<string, readonly string[]>>()
  const add = (code: string, names: LocalNames) => {
    const known = local.get(code) ?? new Map<string, readonly string[]>()
    local.set(code, known)
    for (const [language, texts] of names) known.set(language, [...(known.get(language) ?? []), ...texts])
  }
  for (const feature of features) add(codeOf(feature), localNames(feature, english))
  for (const { code, names } of parents) {
    add(code, new Map([['', [...names, ...(largerNames[code]?.split('|') ?? [])]]]))
    for (const [language, subdivisions] of cldr) {
      const name = subdivisionOf(subdivisions, code)
      if (name !== undefined) add(code, new Map([[language, [name]]]))
    }
  }
  const phrases = withoutTypeWords(local)
  const generic = genericPhrases(phrases)
  const named = [...phrases].map(
    ([code, list]) => [code, list.filter(one => isName(one) && !generic.has(one))] as const,
  )
  const ownCodes = codesByRegion(features, english)
  return {
    names: toRecord(named),
    codes: toRecord([...ownCodes].map(([code, list]) => [code, [...list]] as const)),
    parents: toRecord(parents.map(({ code, children }) => [code, children] as const)),
  }
}

/** Returns the English name of each region as it is shown: that of CLDR, otherwise that of Natural Earth. */
export function englishNames({ features }: Features, english: Subdivisions): Record<string, string> {
  const names = features.map(feature => {
    const { name, name_en } = feature.properties
    const [own = ''] = String(name_en ?? name ?? '').split('|')
    return [codeOf(feature), subdivisionOf(english, codeOf(feature)) ?? own] as const
  })
  return Object.fromEntries(names.filter(([, name]) => name !== '').toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const toRecord = (lists: readonly (readonly [code: string, list: readonly string[]])[]): Record<string, string> =>
  Object.fromEntries(lists.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([code, list]) => [code, list.join('|')]))

/** Returns the names of a feature by language; those in an unknown language have the key ''. */
function localNames(feature: Feature, english: Subdivisions): LocalNames {
  const { properties } = feature
  const names = new Map<string, readonly string[]>()
  const add = (language: string, value: string | number | undefined) => {
    const texts = String(value ?? '')
      .split('|')
      .map(text => text.trim())
    names.set(language, [...(names.get(language) ?? []), ...texts.filter(text => text !== '')])
  }
  for (const key of ['name', 'name_local', 'name_alt', 'gn_name', 'woe_name']) add('', properties[key])
  for (const [key, value] of Object.entries(properties)) {
    const language = /^name_([a-z]{2,3})$/.exec(key)?.[1]
    if (language !== undefined && !['alt', 'len'].includes(language)) add(language, value)
  }
  add('en', subdivisionOf(english, codeOf(feature)))
  return names
}

/**
 * Returns the codes of regions that have a letter: of ISO 3166-2, where it has numbers postal ones, and newer ones of
 * ISO 3166-2 that CLDR has under the name of the region.
 */
function codesByRegion(features: readonly Feature[], english: Subdivisions): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>()
  const add = (region: string, code: string) => {
    if (/^(?=.*[A-Z])[A-Z0-9]{2,3}$/.test(code)) codes.set(region, (codes.get(region) ?? new Set()).add(code))
  }
  const known = new Set(features.map(codeOf))
  const newer = new Map<string, string>()
  for (const [key, name] of Object.entries(english)) {
    const [country, code] = [key.slice(0, 2).toUpperCase(), key.slice(2).toUpperCase()]
    if (!known.has(`${country}-${code}`)) newer.set(`${country} ${tokens(name).join(' ')}`, code)
  }
  for (const feature of features) {
    const region = codeOf(feature)
    const [country, own] = [region.slice(0, 2), region.slice(3)]
    add(region, /^\d+$/.test(own) ? String(feature.properties.postal ?? '') : own)
    add(region, newer.get(`${country} ${tokens(String(feature.properties.name ?? '')).join(' ')}`) ?? '')
  }
  return codes
}

/** Returns the phrases that regions of many countries have. */
function genericPhrases(phrases: ReadonlyMap<string, readonly string[]>): Set<string> {
  const countries = new Map<string, Set<string>>()
  for (const [code, list] of phrases) {
    for (const phrase of list) {
      const known = countries.get(phrase) ?? new Set<string>()
      countries.set(phrase, known.add(code.slice(0, 2)))
    }
  }
  return new Set([...countries].filter(([, { size }]) => size >= genericFrom).map(([phrase]) => phrase))
}

/** Returns true for a phrase that is long enough to be a name, and no number. */
const isName = (phrase: string): boolean =>
  !/^[\x20-\x7e]{0,2}$/.test(phrase) && !/^[\d ]*$/.test(phrase) && tokens(phrase).length <= longestRegionName
