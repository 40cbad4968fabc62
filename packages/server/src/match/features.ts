import { distanceScale } from './classes.ts'
import { metersBetween } from './distance.ts'
import { bestNames, contradiction, type WordWeights } from './names.ts'
import type { MatchRecord } from './record.ts'
import { compareStreets } from './streets.ts'

/** Comparison of the fields of two records. A missing member: one lacks the field. */
export interface Features {
  /** True if they have the same id of an authority, false if they have different ids of one. */
  readonly sameId?: boolean
  /** Similarity of the names that are most alike, 0 to 1. */
  readonly name: number
  /** Numbers and compass words of these names: 0 equal, 1 in one name only, 2 contradicting. */
  readonly numbers: 0 | 1 | 2
  readonly meters?: number
  /** Distance in relation to the size of places of the class. */
  readonly scaledMeters?: number
  readonly samePhone?: boolean
  readonly sameWebsite?: boolean
  readonly sameStreet?: boolean
  /** True if both have the same number in the same street. */
  readonly sameNumber: boolean
  readonly samePostalCode?: boolean
  readonly sameArea?: boolean
  readonly sameCountry?: boolean
  readonly sameCategory?: boolean
  readonly sameSource: boolean
}

/** Facts about all records that a comparison of two needs. */
export interface MatchContext {
  readonly weightOf: WordWeights
  /** Returns true for a key that several places share: it identifies none of them. */
  isShared(key: string): boolean
}

/** Factor on the weight of words that the names of most places of an area or kind have. */
const weakWord = 0.25

/** Compares two records. */
export function compare(a: MatchRecord, b: MatchRecord, { weightOf, isShared }: MatchContext): Features {
  const weak = new Set([...a.areas, ...b.areas].flat())
  for (const { categoryId = '' } of [a, b]) for (const word of categoryId.split(/[:_]/)) weak.add(word)
  const weigh: WordWeights = word => (weak.has(word) ? weakWord * weightOf(word) : weightOf(word))
  const names = bestNames(a.names, b.names, weigh)
  const meters = a.point && b.point && metersBetween(a.point, b.point)
  const postalCodes = [a.postalCode, b.postalCode].flatMap(code => code?.toLowerCase() ?? [])
  const ignored = new Set([...[...a.areas, ...b.areas].flat(), ...postalCodes])
  const street = compareStreets(a.street, b.street, ignored)
  const sameId = compareIds(a.keys, b.keys, isShared)
  return {
    name: names.similarity,
    numbers: contradiction(names.left, names.right),
    sameNumber: street?.sameNumber ?? false,
    sameSource: a.source !== undefined && a.source === b.source,
    ...(sameId !== undefined && { sameId }),
    ...(meters !== undefined && { meters, scaledMeters: meters / distanceScale(b.placeClass ?? a.placeClass) }),
    ...ifKnown('samePhone', a.phones.length > 0 && b.phones.length > 0, () => overlap(a.phones, b.phones)),
    ...ifKnown('sameWebsite', a.website !== undefined && b.website !== undefined, () => a.website === b.website),
    ...(street && { sameStreet: street.agrees }),
    ...ifKnown('samePostalCode', postalCodes.length === 2, () => postalCodes[0] === postalCodes[1]),
    ...ifKnown('sameArea', a.areas.length > 0 && b.areas.length > 0, () =>
      overlap(
        a.areas.map(words => words.join(' ')),
        [...b.areas, ...b.names].map(words => words.join(' ')),
      ),
    ),
    ...ifKnown(
      'sameCountry',
      a.countryCode !== undefined && b.countryCode !== undefined,
      () => a.countryCode === b.countryCode,
    ),
    ...ifKnown(
      'sameCategory',
      a.categoryId !== undefined && b.categoryId !== undefined,
      () => a.categoryId === b.categoryId,
    ),
  }
}

const ifKnown = <Name extends keyof Features>(name: Name, isKnown: boolean, value: () => boolean) =>
  (isKnown ? { [name]: value() } : {}) as Pick<Features, Name>

const overlap = (a: readonly string[], b: readonly string[]): boolean => a.some(value => b.includes(value))

/**
 * Compares ids: equal ids of one authority are one place, different ids of one are two. Both together say nothing,
 * because sources give an id to the wrong place.
 */
function compareIds(
  a: readonly string[],
  b: readonly string[],
  isShared: MatchContext['isShared'],
): boolean | undefined {
  const agree = a.some(key => b.includes(key) && !isShared(key))
  const equal = new Set(a.filter(key => b.includes(key)).map(authorityOf))
  const authorities = new Set(a.map(authorityOf).filter(authority => !equal.has(authority)))
  const differ = b.some(key => authorities.has(authorityOf(key)))
  return agree === differ ? undefined : agree
}

const authorityOf = (key: string): string => key.slice(0, key.lastIndexOf(':'))
