import type { Location } from './location.ts'

/** Maximum length of an id in another source, with its source, in characters. */
export const maxExternalIdLength = 200

/**
 * Returns the key under which an id in another source is found: `wikidata:Q1492`. The case of the text in front of the
 * first colon is irrelevant; ids are compared exactly, because some sources distinguish them by case.
 */
export function externalKey(text: string): string {
  const at = text.indexOf(':')
  return text.slice(0, at).toLowerCase() + text.slice(at)
}

/** Returns true for a source and an id, separated by a colon. */
export const isExternalId = (text: string): boolean => /^[^:\s][^:]*:.*\S/.test(text)

/** Returns the keys of all ids of a location in other sources, that in its own source included. */
export const externalKeysOf = ({ externalIds = [] }: Location): string[] =>
  externalIds.map(({ source, id }) => externalKey(`${source}:${id}`))

/** Number of digits in which phone numbers are compared: country codes and trunk prefixes differ between sources. */
const comparedDigits = 9
const minDigits = 7

/** Returns the last nine digits of a phone number; undefined for a text with fewer than seven. */
export function phoneDigits(phone: string): string | undefined {
  const digits = phone.normalize('NFKC').replace(/\D/g, '')
  return digits.length < minDigits ? undefined : digits.slice(-comparedDigits)
}

/** Returns the key under which the places with a phone number are found. */
export const phoneKey = (digits: string): string => `:tel:${digits}`

/** Returns the last nine digits of each phone number of a location. */
export const phonesOf = ({ phoneNumbers = [] }: Location): string[] =>
  phoneNumbers.flatMap(({ value }) => phoneDigits(value) ?? [])
