import type { MatchField, MatchReason } from '../domain/match.ts'
import type { Features } from './features.ts'

/** Log-odds of the fields of two records, fitted by bench/match. */
export const logOdds = {
  /** Log-odds of two records of one block that are known to be near or alike, before they are compared. */
  prior: -2,
  id: { agrees: 12, differs: -6 },
  /** Times 2s - 1 for the similarity s of names; `differs` below `minSimilarity`. */
  name: { agrees: 4, differs: -4, minSimilarity: 0.4 },
  /** Numbers and compass words that one name lacks, and that contradict. */
  numbers: { missing: -2.5, contradicts: -5 },
  phone: { agrees: 3, differs: -0.5 },
  website: { agrees: 2, differs: -0.3 },
  street: { agrees: 2, differs: -2 },
  postalCode: { agrees: 0.5, differs: -0.5 },
  /** Counts where one record has no coordinates. */
  area: { agrees: 1.5, differs: -2 },
  country: { agrees: 0, differs: -4 },
  category: { agrees: 1, differs: 0 },
  sameSource: -2,
  /** By the scaled distance in metres, ascending; `beyond` for all greater ones. */
  distance: [
    { upTo: 30, value: 2 },
    { upTo: 100, value: 1 },
    { upTo: 200, value: 0.5 },
    { upTo: 300, value: 0 },
    { upTo: 1000, value: -2 },
  ],
  beyond: -5,
} as const

/** Log-odds of the same form. */
export type LogOdds = Widened<typeof logOdds>
type Widened<T> = T extends number ? number : { readonly [K in keyof T]: Widened<T[K]> }

/** Score of two records: the probability that they are one place, and what speaks for and against it. */
export interface Score {
  readonly probability: number
  /** The strongest first. */
  readonly reasons: readonly MatchReason[]
}

/** Computes the score of what two records have in common. */
export function score(features: Features, odds: LogOdds = logOdds): Score {
  const parts = partsOf(features, odds).filter(({ value, isShown }) => value !== 0 || isShown)
  const sum = parts.reduce<number>((total, { value }) => total + value, odds.prior)
  return {
    probability: 1 / (1 + Math.exp(-sum)),
    reasons: parts.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).map(({ reason }) => reason),
  }
}

interface Part {
  readonly value: number
  readonly reason: MatchReason
  /** True for a part that is reported even if it counts nothing. */
  readonly isShown: boolean
}

function partsOf(f: Features, odds: LogOdds): Part[] {
  const either = (
    field: MatchField,
    same: boolean | undefined,
    weights: { readonly agrees: number; readonly differs: number },
  ): Part[] => (same === undefined ? [] : [toPart(field, same ? weights.agrees : weights.differs)])
  const hasPoints = f.scaledMeters !== undefined
  return [
    ...either('external_id', f.sameId, odds.id),
    { ...toPart('name', nameValue(f.name, odds)), ...namePart(f.name) },
    ...(f.numbers === 0 ? [] : [toPart('numbers', odds.numbers[f.numbers === 1 ? 'missing' : 'contradicts'])]),
    ...(hasPoints ? [distancePart(f, odds)] : either('city', f.sameArea, odds.area)),
    ...either('phone', f.samePhone, odds.phone),
    ...either('website', f.sameWebsite, odds.website),
    ...either('address', f.sameStreet, odds.street),
    ...either('postal_code', f.samePostalCode, odds.postalCode),
    ...either('country_code', f.sameCountry, odds.country),
    ...either('category', f.sameCategory, odds.category),
    ...(f.sameSource ? [toPart('source', odds.sameSource)] : []),
  ]
}

const toPart = (field: MatchField, value: number): Part => ({
  value,
  reason: { field, agrees: value >= 0 },
  isShown: false,
})

const nameValue = (similarity: number, { name }: LogOdds): number => {
  const { agrees, differs, minSimilarity } = name
  return similarity < minSimilarity ? differs : agrees * (2 * similarity - 1)
}

const namePart = (similarity: number) => ({
  reason: { field: 'name' as const, agrees: similarity >= 0.5, similarity: Math.round(similarity * 100) / 100 },
  isShown: true,
})

function distancePart({ meters = 0, scaledMeters = 0 }: Features, { distance, beyond }: LogOdds): Part {
  const value = distance.find(({ upTo }) => scaledMeters <= upTo)?.value ?? beyond
  return { value, reason: { field: 'distance', agrees: value >= 0, meters: Math.round(meters) }, isShown: true }
}
