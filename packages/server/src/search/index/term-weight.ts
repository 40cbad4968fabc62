import { sharedArray } from './typed-arrays.ts'

/** Weight of a term that occurs in all documents, the minimum. */
export const minTermWeight = 26

/**
 * Returns the weight of a term that occurs in `count` of `documents` documents, 0 to 255: a normalized inverse document
 * frequency (Spärck Jones 1972), 1 - ln(count) / ln(documents + 1), to the power of 1.5 and with a floor of 0.1, so
 * that words like "hotel" weigh about a third of a rare word.
 */
export function termWeight(count: number, documents: number): number {
  // A prefix occurs in more texts than there are documents if documents have several names.
  const occurring = Math.min(Math.max(1, count), documents)
  const rarity = documents < 2 ? 1 : 1 - Math.log(occurring) / Math.log(documents + 1)
  return Math.round(255 * (0.1 + 0.9 * rarity ** 1.5))
}

/** Returns the weights of all terms; `start` delimits their posting lists. `weightOf` takes precedence if given. */
export function termWeights(
  sorted: readonly string[],
  start: Uint32Array,
  documents: number,
  weightOf?: (term: string) => number,
): Uint8Array {
  const weight = sharedArray(Uint8Array, sorted.length)
  for (let term = 0; term < sorted.length; term++) {
    weight[term] = weightOf?.(sorted[term]!) ?? termWeight(start[term + 1]! - start[term]!, documents)
  }
  return weight
}
