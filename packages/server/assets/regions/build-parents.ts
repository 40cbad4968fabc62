import { tokens } from '../../src/kit/tokens.ts'
import { codeOf, type Feature } from './build-borders.ts'
import type { Subdivisions } from './build-names.ts'

/** A larger region and the regions that it consists of. */
export interface Parent {
  readonly code: string
  readonly names: readonly string[]
  readonly children: readonly string[]
}

/** Codes of larger regions whose names in Natural Earth are other words than those of CLDR. */
const codesByName: Readonly<Record<string, string>> = {
  'BE Capital Region': 'BE-BRU',
  'BE Flemish': 'BE-VLG',
  'BE Walloon': 'BE-WAL',
  'GB England': 'GB-ENG',
  'GB Northern Ireland': 'GB-NIR',
  'GB Scotland': 'GB-SCT',
  'GB Wales': 'GB-WLS',
}

/**
 * Returns the larger regions that Natural Earth assigns regions to, such as Hauts-de-France, and the nations of the
 * United Kingdom. Codes without an equivalent in ISO 3166-2 are the name behind the country.
 */
export function parentsOf(features: readonly Feature[], english: Subdivisions): Parent[] {
  const parents = new Map<string, { readonly names: Set<string>; readonly children: Set<string> }>()
  const add = (name: string, code: string, child: string) => {
    const parent = parents.get(code) ?? { names: new Set(), children: new Set() }
    parents.set(code, parent)
    // "Bicol (Region V)" has two names.
    parent.names.add(name.replace(/ \(.*\)$/, ''))
    parent.children.add(child)
  }
  for (const feature of features) {
    const { region, region_cod: given, geonunit, iso_a2 } = feature.properties
    const country = String(iso_a2)
    for (const name of [region, country === 'GB' ? geonunit : undefined]) {
      if (name === undefined || name === '') continue
      add(String(name), parentCode(country, String(name), String(given ?? ''), english), codeOf(feature))
    }
  }
  return [...parents]
    .filter(([code, { children }]) => children.size > 1 || !children.has(code))
    .map(([code, { names, children }]) => ({ code, names: [...names], children: [...children].sort() }))
}

/** Returns the code of a larger region: the given one, or the one with its name in CLDR. */
function parentCode(country: string, name: string, given: string, english: Subdivisions): string {
  const known = codesByName[`${country} ${name}`]
  if (known !== undefined) return known
  const code = given.replace('.', '-')
  if (code.startsWith(`${country}-`) && subdivisionOf(english, code) !== undefined) return code
  const wanted = tokens(name).join(' ')
  const prefix = country.toLowerCase()
  const found = Object.keys(english).find(key => key.startsWith(prefix) && tokens(english[key]!).join(' ') === wanted)
  return found === undefined ? `${country}-${name}` : `${country}-${found.slice(2).toUpperCase()}`
}

/** Returns the name of a subdivision, given by its ISO 3166-2 code; CLDR marks names of uncertain use with a digit. */
export const subdivisionOf = (names: Subdivisions, code: string): string | undefined =>
  names[code.replace('-', '').toLowerCase()]?.replace('²', '')
