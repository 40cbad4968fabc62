import type { LocationReader } from '../../../domain/data-stores.ts'
import { type Fault, isFault } from '../../../domain/fault.ts'
import { getSubject } from '../../../domain/limit-subject.ts'
import type { Locale } from '../../../domain/locale.ts'
import type { CandidateIndex } from '../../../domain/match.ts'
import { type Match, matchLocation } from '../../../usecases/partner/match-location.ts'
import { matchFieldsOf } from '../../../versions/primitives/match.ts'
import type { RenderedBody } from '../../wire/rendered.ts'
import { bindParts, type Call, type HandlerTable } from '../call.ts'
import { type LocationRenderer, renderResults } from '../render.ts'

/** Dependencies of matches. */
export interface MatchParts {
  readonly index: CandidateIndex & { notReady(): Fault | undefined }
  readonly locations: LocationReader
  readonly renderer: LocationRenderer
}

const handlers: HandlerTable<MatchParts, 'matchLocation'> = {
  matchLocation: async (parts, call) => {
    const args = call.version.read.matchLocation(call.query)
    if (isFault(args)) return args
    const unavailable = parts.index.notReady()
    if (unavailable) return unavailable
    const caller = { subject: getSubject(call.key), isGone: call.isGone }
    const found = await matchLocation(parts, call.scope, args.own, args.limit, caller)
    return { rendered: renderMatches(parts, call, found, args.locales), entities: found.length }
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
