import type { LocationReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Locale } from '../../../domain/locale.ts'
import type { CandidateIndex } from '../../../domain/match.ts'
import { type Match, matchLocation, matchLocations } from '../../../usecases/partner/match-location.ts'
import { matchFieldsOf } from '../../../versions/primitives/match.ts'
import type { RenderedBody } from '../../wire/rendered.ts'
import { bindParts, type Call, type HandlerTable } from '../call.ts'
import { type LocationRenderer, renderMany, renderResults } from '../render.ts'
import { readRecords } from './read-records.ts'
import { callerOf } from './search.ts'

/** Dependencies of matches. */
export interface MatchParts {
  readonly index: CandidateIndex & { notReady(): Fault | undefined }
  readonly locations: LocationReader
  readonly renderer: LocationRenderer
}

const handlers: HandlerTable<MatchParts, 'matchLocation' | 'matchLocations'> = {
  matchLocation: async (parts, call) => {
    const args = call.version.read.matchLocation(call.query)
    if (isFault(args)) return args
    const unavailable = parts.index.notReady()
    if (unavailable) return unavailable
    const found = await matchLocation(parts, call.scope, args.own, args.limit, callerOf(call))
    return { rendered: renderMatches(parts, call, found, args.locales), entities: found.length }
  },

  matchLocations: async (parts, call) => {
    const args = call.version.read.matchLocations(call.query)
    if (isFault(args)) return args
    const body = await call.readBody!()
    if (isFault(body)) return body
    const records = readRecords(body, call.headers, call.version)
    if (isFault(records)) return records
    const unavailable = parts.index.notReady()
    if (unavailable) return unavailable
    const found = await matchLocations(parts, call.scope, records, args.limit, callerOf(call))
    const lists = found.map(matches => renderMatches(parts, call, matches, args.locales))
    return { rendered: renderMany(lists, {}), entities: records.length }
  },
}

/** Creates the handlers of matches. */
export const createMatchOperations = (parts: MatchParts) => bindParts(parts, handlers)

function renderMatches(
  { renderer }: MatchParts,
  { version }: Call,
  found: readonly Match[],
  locales: readonly Locale[],
): RenderedBody {
  const results = found.map(match => ({
    body: renderer.renderOne(match.entry, version, 'location', locales),
    fields: matchFieldsOf(match),
  }))
  return renderResults(results, {})
}
