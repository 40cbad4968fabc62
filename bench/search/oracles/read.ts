import { readFileSync } from 'node:fs'

/** Reads the rows of a table of this folder. */
const rowsOf = (name: string): string[][] =>
  readFileSync(new URL(`${name}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split('\t'))

/** A state or province. */
export interface Region {
  readonly country: string
  /** Code that places of GeoNames have. */
  readonly geoNames: string
  /** Code of ISO 3166-2 without the country. */
  readonly code: string
  /** Names by language. */
  readonly names: Readonly<Record<string, string>>
}

export const readRegions = (): Region[] =>
  rowsOf('regions').map(([country, geoNames, code, ...names]) => ({
    country: country!,
    geoNames: geoNames!,
    code: code!,
    names: Object.fromEntries(names.map(pair => pair.split('='))) as Record<string, string>,
  }))

export const readNicknames = () =>
  rowsOf('nicknames').map(([nickname, city, country]) => ({ nickname: nickname!, city: city!, country: country! }))

export const readCountryAliases = () =>
  rowsOf('country-aliases').map(([alias, country]) => ({ alias: alias!, country: country! }))
