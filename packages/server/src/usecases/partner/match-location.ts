import { setImmediate } from 'node:timers/promises'
import type { LocationReader } from '../../domain/data-stores.ts'
import { externalKey, phoneDigits, phoneKey } from '../../domain/external-id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type {
  CandidateIndex,
  CandidateQuery,
  CandidateResult,
  MatchDecision,
  MatchReason,
  OwnRecord,
} from '../../domain/match.ts'
import type { Scope } from '../../domain/scope.ts'
import type { QueryCaller } from '../../domain/search.ts'
import { chooseCandidates, decide } from '../../match/decide.ts'
import type { MatchContext } from '../../match/features.ts'
import { type MatchRecord, ofOwnRecord, toMatchRecord } from '../../match/record.ts'
import { distinctItems } from './read-hits.ts'

/** Stores that matching needs. */
export interface MatchStores {
  readonly index: CandidateIndex
  readonly locations: LocationReader
}

/** A location that may be the place of a record. */
export interface Match {
  readonly entry: LocationEntry
  readonly decision: MatchDecision
  /** Probability that both are one place, 0 to 1. */
  readonly score: number
  readonly reasons: readonly MatchReason[]
}

/** Number of candidates of one name from which it is the name of a brand. */
const minBranches = 3

/** Returns the locations that may be the place of a record, the most probable first, within a scope. */
export async function matchLocation(
  { index, locations }: MatchStores,
  scope: Scope,
  own: OwnRecord,
  limit: number,
  caller: QueryCaller,
): Promise<readonly Match[]> {
  const found = await index.candidates(toQuery(own, scope), caller)
  const read = await locations.getMany(found.ids)
  const hits = found.ids.map(id => ({ id }))
  const words = (text: string) => index.wordsOf(text)
  const record = ofOwnRecord(own, words)
  const candidates = distinctItems(scope, hits, read)
    .map(({ entry }) => ({ entry, record: toMatchRecord(entry.location(), entry, words) }))
    // Candidates with an id or a phone number of the record are found in all countries.
    .filter(({ record: { countryCode } }) => !areOtherCountries(countryCode, own.countryCode))
  const context = toContext(found)
  const isBrand = countNamesakes(record, candidates) >= minBranches
  const compared = candidates.map(candidate => ({
    candidate,
    ...decide(record, candidate.record, context, isBrand),
  }))
  const isOnePlace = (a: Candidate, b: Candidate) => decide(a.record, b.record, context, isBrand).decision === 'same'
  return chooseCandidates(compared, isOnePlace)
    .slice(0, limit)
    .map(({ candidate: { entry }, decision, probability, reasons }) => ({
      entry,
      decision,
      score: Math.round(probability * 1000) / 1000,
      reasons,
    }))
}

/**
 * Returns the matches of several records, in their order. Other requests take their turn between two records; a client
 * that has gone away ends the work.
 */
export async function matchLocations(
  stores: MatchStores,
  scope: Scope,
  records: readonly OwnRecord[],
  limit: number,
  caller: QueryCaller,
): Promise<(readonly Match[])[]> {
  const found: (readonly Match[])[] = []
  for (const own of records) {
    if (caller.isGone()) break
    found.push(await matchLocation(stores, scope, own, limit, caller))
    await setImmediate()
  }
  return found
}

interface Candidate {
  readonly entry: LocationEntry
  readonly record: MatchRecord
}

function toQuery(own: OwnRecord, scope: Scope): CandidateQuery {
  const { name, point, city, countryCode, phone = '', externalId } = own
  const digits = phoneDigits(phone)
  const keys = [
    ...(externalId === undefined ? [] : [externalKey(externalId)]),
    ...(digits === undefined ? [] : [phoneKey(digits)]),
  ]
  return {
    name,
    keys,
    scope,
    ...(point && { point }),
    ...(city !== undefined && { place: city }),
    ...(countryCode !== undefined && { countryCode }),
  }
}

function toContext({ weights, sharedKeys }: CandidateResult): MatchContext {
  const shared = new Set(sharedKeys)
  return { weightOf: word => weights.get(word) ?? 1, isShared: key => shared.has(key) }
}

const areOtherCountries = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b

/** Returns the number of candidates that have the name of a record. */
function countNamesakes({ names: [name = []] }: MatchRecord, candidates: readonly Candidate[]): number {
  const text = name.join(' ')
  return candidates.filter(({ record }) => record.names.some(words => words.join(' ') === text)).length
}
