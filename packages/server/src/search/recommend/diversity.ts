import { distancesFrom } from '../index/sphere.ts'

/** Place with what makes it like another one. */
export interface Varied {
  readonly score: number
  readonly brand?: string | undefined
  /** The most special category id. */
  readonly kind?: string | undefined
  readonly latitude: number
  readonly longitude: number
}

/** Weights of the score and of the likeness to a place that is already chosen. */
const weights = { score: 0.8, likeness: 0.2 } as const
/** Parts of the likeness of two places; they add up to 1. */
const likenesses = { brand: 0.5, kind: 0.25, near: 0.25 } as const
const nearKm = 0.1
/** Maximum number of places of a brand among as many of the first results as there are. */
const perBrand = { most: 2, of: 5 } as const

/**
 * Chooses up to `limit` places that differ from one another (maximal marginal relevance, Carbonell and Goldstein 1998).
 * `places` are descending by score; of equal values the first one is chosen. At most two of a brand are among five
 * results, as long as there are others.
 */
export function diversify<T extends Varied>(places: readonly T[], limit: number): T[] {
  const left = [...places]
  const chosen: T[] = []
  const likeness = new Map<T, number>(left.map(place => [place, 0]))
  while (left.length > 0 && chosen.length < limit) {
    const isFull = (brand: string | undefined) => brand !== undefined && isOverrepresented(chosen, brand)
    const worthOf = (place: T) => weights.score * place.score - weights.likeness * likeness.get(place)!
    const allowed = left.filter(({ brand }) => !isFull(brand))
    const candidates = allowed.length > 0 ? allowed : left
    const best = candidates.reduce((a, b) => (worthOf(b) > worthOf(a) ? b : a))
    left.splice(left.indexOf(best), 1)
    chosen.push(best)
    for (const place of left) likeness.set(place, Math.max(likeness.get(place)!, likenessOf(place, best)))
  }
  return chosen
}

/** Returns true if another place of a brand would be one too many among the last results and the next one. */
function isOverrepresented(chosen: readonly Varied[], brand: string): boolean {
  const last = chosen.slice(-(perBrand.of - 1))
  return last.filter(place => place.brand === brand).length >= perBrand.most
}

function likenessOf(a: Varied, b: Varied): number {
  const isNear = distancesFrom(a)(b.latitude, b.longitude) <= nearKm
  return (
    (a.brand !== undefined && a.brand === b.brand ? likenesses.brand : 0) +
    (a.kind !== undefined && a.kind === b.kind ? likenesses.kind : 0) +
    (isNear ? likenesses.near : 0)
  )
}
