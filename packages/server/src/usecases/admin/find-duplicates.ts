import type { DuplicatesFound, DuplicatesInput, PairedPlace } from '../../domain/duplicates.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { maxMembers } from '../../match/cluster.ts'
import { createComparison, findDuplicates as findPairs } from '../../match/find-duplicates.ts'
import { type MatchRecord, toMatchRecord, type Words } from '../../match/record.ts'

/** A place that is compared, with what decides which one survives. */
interface Compared extends PairedPlace {
  readonly record: MatchRecord
  readonly reviews: number
}

/** Finds the places that several records describe. Changes nothing. */
export async function findDuplicates(
  places: AsyncIterable<readonly LocationEntry[]>,
  words: Words,
  input: DuplicatesInput,
): Promise<DuplicatesFound> {
  const compared = await readPlaces(places, words, input)
  const records = compared.map(({ record }) => record)
  const { pairs, clusters } = findPairs(records, createComparison(records, input.minScore))
  const mergeable = clusters.filter(members => members.length <= maxMembers)
  const scores = new Map(pairs.map(({ a, b, probability }) => [`${a} ${b}`, probability]))
  const scoreOf = (x: number, y: number) => round(scores.get(x < y ? `${x} ${y}` : `${y} ${x}`) ?? input.minScore)
  const survivorOf = new Map<number, number>()
  for (const members of mergeable) {
    const [survivor] = members.toSorted(bySurvival(compared, input.prefer))
    for (const member of members) survivorOf.set(member, survivor!)
  }
  return {
    places: compared.length,
    pairs: pairs.map(({ a, b, probability, decision, reasons }) => {
      const keep = survivorOf.get(a)
      const isMerged = decision === 'same' && keep !== undefined && keep === survivorOf.get(b)
      return {
        a: shown(compared[a]!),
        b: shown(compared[b]!),
        class: compared[a]!.record.placeClass ?? 'other',
        decision,
        score: round(probability),
        reasons,
        ...(isMerged && { keep: compared[keep]!.id }),
      }
    }),
    merges: [...survivorOf].flatMap(([member, survivor]) =>
      member === survivor
        ? []
        : [{ id: compared[member]!.id, into: compared[survivor]!.id, score: scoreOf(member, survivor) }],
    ),
    oversized: clusters.length - mergeable.length,
  }
}

const round = (probability: number): number => Math.round(probability * 1000) / 1000

const shown = ({ id, source, name }: Compared): PairedPlace => ({ id, source, name })

async function readPlaces(
  places: AsyncIterable<readonly LocationEntry[]>,
  words: Words,
  { sources, classes }: DuplicatesInput,
): Promise<Compared[]> {
  const read: Compared[] = []
  const shared = shareWords(words)
  for await (const entries of places)
    for (const entry of entries) {
      if (sources && !sources.includes(entry.source)) continue
      const location = entry.location()
      const record = toMatchRecord(location, entry, shared)
      if (classes && !classes.includes(record.placeClass ?? 'other')) continue
      const reviews = entry.ratings(location)?.overall?.count ?? 0
      read.push({ id: entry.id, source: entry.source, name: location.names[0]?.value ?? '', record, reviews })
    }
  return read
}

/** Returns a function that keeps each word once in memory: names repeat few words often. */
function shareWords(words: Words): Words {
  const known = new Map<string, string>()
  const share = (word: string) => {
    const shared = known.get(word) ?? word
    known.set(word, shared)
    return shared
  }
  return text => words(text).map(share)
}

/** Orders the members of a place: preferred sources, most reviews, most external ids, lowest id. */
const bySurvival =
  (compared: readonly Compared[], prefer: readonly string[]) =>
  (x: number, y: number): number => {
    const [a, b] = [compared[x]!, compared[y]!]
    const preference = ({ source }: Compared) => (prefer.includes(source) ? prefer.indexOf(source) : prefer.length)
    return (
      preference(a) - preference(b) ||
      b.reviews - a.reviews ||
      b.record.keys.length - a.record.keys.length ||
      (a.id < b.id ? -1 : 1)
    )
  }
