import { findTopLevelCategory } from '../../../packages/server/src/domain/category.ts'
import { kilometres, plain } from '../classes/known.ts'

/** The members of a location of the API that judgements read. */
export interface JudgedLocation {
  readonly id: number
  readonly names?: readonly { readonly value: string }[]
  readonly alternate_names?: readonly string[]
  readonly categories?: readonly { readonly id: string }[]
  readonly attributes?: readonly { readonly name: string }[]
  readonly descriptions?: readonly { readonly value: string }[]
  readonly coordinates: { readonly latitude: number; readonly longitude: number }
  readonly addresses?: readonly {
    readonly street_address?: string
    readonly city?: string
    readonly postal_code?: string
    readonly country_code?: string
    readonly formatted?: string
  }[]
}

/** Facts that a result must have; a missing member asks for nothing. */
export interface Wanted {
  /**
   * A whole name in any language. With `~` in front: these words, in this order, inside a name. Alternatives are
   * separated by `|`.
   */
  readonly name?: string
  /** Category ids or top-level categories, separated by spaces; `-` in front of one excludes it. */
  readonly kind?: string
  /** ISO 3166-1 codes, separated by spaces. */
  readonly country?: string
  /** Latitude, longitude and kilometres. */
  readonly around?: readonly [number, number, number]
  readonly postal?: string
  /** Words of the address, in this order. */
  readonly address?: string
  /** Words inside a name or an attribute. Alternatives are separated by `|`. */
  readonly about?: string
}

/** Judgement of an answer. */
export interface Rule extends Wanted {
  /** Number of first results that are looked at; default 1. */
  readonly of?: number
  /** Number of them that must have the facts; default 1. */
  readonly least?: number
  /** The answer must be empty. */
  readonly nothing?: true
  /** Other answers that are fine, too. */
  readonly or?: readonly Rule[]
}

const holds = (text: string, words: string): boolean => ` ${plain(text)} `.includes(` ${plain(words)} `)

function hasName({ names = [], alternate_names: others = [] }: JudgedLocation, wanted: string): boolean {
  const all = [...names.map(({ value }) => value), ...others]
  return wanted.split('|').some(one => {
    if (one.startsWith('~')) return all.some(name => holds(name, one.slice(1)))
    return all.some(name => plain(name) === plain(one))
  })
}

function isAbout(
  { names = [], alternate_names: others = [], attributes = [] }: JudgedLocation,
  wanted: string,
): boolean {
  const texts = [...names.map(({ value }) => value), ...others, ...attributes.map(({ name }) => name)]
  return wanted.split('|').some(words => texts.some(text => holds(text, words)))
}

function isKind({ categories = [] }: JudgedLocation, wanted: string): boolean {
  const kinds = wanted.split(' ')
  const isOne = (kind: string) =>
    categories.some(({ id }) => id === kind || (id.startsWith('geo:') ? 'GEO' : findTopLevelCategory(id)) === kind)
  if (kinds.some(kind => kind.startsWith('-') && isOne(kind.slice(1)))) return false
  const asked = kinds.filter(kind => !kind.startsWith('-'))
  return asked.length === 0 || asked.some(isOne)
}

/** Returns true if a location has all facts. */
export function hasFacts(location: JudgedLocation, wanted: Wanted): boolean {
  const { name, kind, country, around, postal, address, about } = wanted
  const addresses = location.addresses ?? []
  if (name !== undefined && !hasName(location, name)) return false
  if (kind !== undefined && !isKind(location, kind)) return false
  if (country !== undefined && !addresses.some(one => country.split(' ').includes(one.country_code ?? ''))) return false
  if (around !== undefined) {
    const [latitude, longitude, most] = around
    if (kilometres({ latitude, longitude }, location.coordinates) > most) return false
  }
  if (about !== undefined && !isAbout(location, about)) return false
  if (postal !== undefined && !addresses.some(one => plain(one.postal_code ?? '') === plain(postal))) return false
  return (
    address === undefined || addresses.some(one => holds(`${one.street_address ?? ''} ${one.formatted ?? ''}`, address))
  )
}

/** Returns true if an answer is fine. */
export function isFine(found: readonly JudgedLocation[], rule: Rule): boolean {
  if (rule.or?.some(other => isFine(found, other))) return true
  if (rule.nothing) return found.length === 0
  const fitting = found.slice(0, rule.of ?? 1).filter(location => hasFacts(location, rule)).length
  return fitting >= (rule.least ?? 1)
}
