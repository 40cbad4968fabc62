import { findTopLevelCategory, toCategoryId } from '../domain/category.ts'
import { externalKey, externalKeysOf, phoneDigits, phonesOf } from '../domain/external-id.ts'
import type { Location, ScopeFacts } from '../domain/location.ts'
import type { OwnRecord } from '../domain/match.ts'
import type { PlaceClass } from '../domain/place-class.ts'
import { namesOf, type Point } from '../domain/search.ts'
import { classOf } from './classes.ts'

/** Splits a text into folded words. */
export type Words = (text: string) => readonly string[]

/** A place in the form in which places are compared. */
export interface MatchRecord {
  /** Words of each name. */
  readonly names: readonly (readonly string[])[]
  readonly placeClass?: PlaceClass
  readonly categoryId?: string
  readonly point?: Point
  /** Words of the streets, with numbers. */
  readonly street: readonly string[]
  readonly postalCode?: string
  /** Names of the area: cities and neighbourhoods. */
  readonly areas: readonly (readonly string[])[]
  readonly countryCode?: string
  readonly phones: readonly string[]
  readonly website?: string
  /** Keys of ids in other sources. */
  readonly keys: readonly string[]
  readonly source?: string
}

/** Maximum number of names that are compared. */
const maxNames = 16

/** Converts a stored location. */
export function toMatchRecord(location: Location, facts: ScopeFacts, words: Words): MatchRecord {
  const { addresses = [], categories, coordinates, urls, neighborhoods = [] } = location
  const [category] = categories
  const postalCode = addresses.find(one => one.postalCode !== undefined)?.postalCode
  const country = facts.country ?? addresses.find(one => one.countryCode !== undefined)?.countryCode
  const website = hostOf(urls?.official)
  const areas = [
    ...addresses.map(({ city }) => city),
    location.geo,
    location.nearestCity,
    ...neighborhoods.map(({ name }) => name),
  ].filter(name => name !== undefined)
  return {
    names: distinctNames(
      namesOf(location).map(({ value }) => value),
      words,
    ),
    ...(category && { placeClass: classOf(category), categoryId: category.id }),
    point: coordinates,
    street: addresses.flatMap(({ streetAddress, formatted }) => words(streetAddress ?? formatted ?? '')),
    ...(postalCode !== undefined && { postalCode: plain(postalCode) }),
    areas: [...new Set(areas)].map(words),
    ...(country !== undefined && { countryCode: country }),
    phones: phonesOf(location),
    ...(website !== undefined && { website }),
    keys: externalKeysOf(location),
    source: facts.source,
  }
}

/** Converts the record of a caller. */
export function ofOwnRecord(own: OwnRecord, words: Words): MatchRecord {
  const { name, point, address = '', postalCode, city, countryCode, phone = '', externalId, categoryId } = own
  const id = categoryId === undefined ? undefined : toCategoryId(categoryId)
  const top = id === undefined ? undefined : findTopLevelCategory(id)
  const digits = phoneDigits(phone)
  return {
    names: [words(name)],
    // A category that is unknown here says nothing.
    ...(top !== undefined && top !== 'OTHER' && { placeClass: classOf({ id: id!, topLevelCategory: top }) }),
    ...(id !== undefined && { categoryId: id }),
    ...(point && { point }),
    street: words(address),
    ...(postalCode !== undefined && { postalCode: plain(postalCode) }),
    areas: city === undefined ? [] : [words(city)],
    ...(countryCode !== undefined && { countryCode }),
    phones: digits === undefined ? [] : [digits],
    keys: externalId === undefined ? [] : [externalKey(externalId)],
  }
}

/** Returns the words of distinct names; a name without words is left out. */
function distinctNames(names: readonly string[], words: Words): (readonly string[])[] {
  const found = new Map<string, readonly string[]>()
  for (const name of names) {
    if (found.size === maxNames) break
    const split = words(name)
    if (split.length > 0) found.set(split.join(' '), split)
  }
  return [...found.values()]
}

const plain = (code: string): string => code.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the host and path of a website, without which chains and portals would agree. */
function hostOf(url: string | undefined): string | undefined {
  const found =
    url === undefined ? null : /^(?:https?:\/\/)?(?:www\.)?([^/?#\s]+\.[^/?#\s]+)([^?#\s]*)/i.exec(url.trim())
  return found ? (found[1]! + found[2]!.replace(/\/+$/, '')).toLowerCase() : undefined
}
