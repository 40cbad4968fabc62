import type { WordWeights } from './names.ts'
import type { MatchRecord } from './record.ts'

const minWeight = 0.1

/** Returns the weights of words by the share of records whose names have them (idf), from 0.1 to 1. */
export function weightsOfWords(records: readonly MatchRecord[]): WordWeights {
  const counts = new Map<string, number>()
  for (const { names } of records)
    for (const word of new Set(names.flat())) counts.set(word, (counts.get(word) ?? 0) + 1)
  const all = Math.log(records.length + 1)
  return word => Math.max(minWeight, 1 - Math.log(counts.get(word) ?? 1) / all)
}
