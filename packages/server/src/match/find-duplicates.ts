import type { MatchReason } from '../domain/match.ts'
import { Blocks } from './blocks.ts'
import { clusterPairs } from './cluster.ts'
import { type Comparison, decide } from './decide.ts'
import type { MatchContext } from './features.ts'
import type { MatchRecord } from './record.ts'
import { weightsOfWords } from './word-frequencies.ts'

/** Two records that are the same place, or may be. */
export interface DuplicatePair {
  /** Numbers of the records, a < b. */
  readonly a: number
  readonly b: number
  readonly probability: number
  readonly decision: 'same' | 'possible'
  readonly reasons: readonly MatchReason[]
}

export interface Duplicates {
  readonly pairs: readonly DuplicatePair[]
  /** Numbers of the records of each place that several have. */
  readonly clusters: readonly (readonly number[])[]
}

/** Number of records of one name from which it is the name of a brand. */
const minBranches = 5

/** Number of records of one key from which it identifies none. */
const minHolders = 4

/** Compares two records, given facts about all of them. */
export interface RecordComparison {
  readonly context: MatchContext
  compare(left: MatchRecord, right: MatchRecord): Comparison
}

/**
 * Creates the comparison of the records of a list: their words have weights, and names and keys that many of them have
 * identify none. `minProbability` is that of a pair that is merged.
 */
export function createComparison(records: readonly MatchRecord[], minProbability: number): RecordComparison {
  const context = toContext(records)
  const branches = countNames(records)
  const isBrand = ({ names }: MatchRecord) => (branches.get(nameOf(names)) ?? 0) >= minBranches
  const compare = (left: MatchRecord, right: MatchRecord): Comparison => {
    const found = decide(left, right, context, isBrand(left) && isBrand(right))
    const isTooWeak = found.decision === 'same' && found.probability < minProbability
    return isTooWeak ? { ...found, decision: 'possible' } : found
  }
  return { compare, context }
}

/** Finds the records that are the same place, by a comparison of them or of a list that they are part of. */
export function findDuplicates(
  records: readonly MatchRecord[],
  { compare: compareRecords, context }: RecordComparison,
): Duplicates {
  const compare = (a: number, b: number) => compareRecords(records[a]!, records[b]!)
  const blocks = new Blocks(records, context.weightOf)
  const pairs: DuplicatePair[] = []
  for (let a = 0; a < records.length; a++)
    for (const b of blocks.after(a)) {
      const { decision, probability, reasons } = compare(a, b)
      if (decision !== undefined) pairs.push({ a, b, probability, decision, reasons })
    }
  const known = new Set(pairs.map(({ a, b }) => a * records.length + b))
  const mayBeSame = (x: number, y: number) => {
    const [a, b] = x < y ? [x, y] : [y, x]
    return known.has(a * records.length + b) || compare(a, b).decision !== undefined
  }
  const same = pairs.filter(({ decision }) => decision === 'same')
  return { pairs, clusters: clusterPairs(same, mayBeSame) }
}

function toContext(records: readonly MatchRecord[]): MatchContext {
  const holders = new Map<string, number>()
  for (const { keys } of records) for (const key of keys) holders.set(key, (holders.get(key) ?? 0) + 1)
  return { weightOf: weightsOfWords(records), isShared: key => (holders.get(key) ?? 0) >= minHolders }
}

const nameOf = (names: MatchRecord['names']): string => (names[0] ?? []).join(' ')

function countNames(records: readonly MatchRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { names } of records) counts.set(nameOf(names), (counts.get(nameOf(names)) ?? 0) + 1)
  return counts
}
