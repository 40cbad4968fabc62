import type { MatchDecision, MatchReason } from '../domain/match.ts'
import { distanceScale } from './classes.ts'
import { compare, type Features, type MatchContext } from './features.ts'
import type { MatchRecord } from './record.ts'
import { score } from './weights.ts'

/** Probabilities from which two records are the same place, and possibly so. */
export const thresholds = { same: 0.92, possible: 0.6 }

/**
 * Two decisions for the same place whose scores differ by less are both only possible. A record without a category may
 * as well be the station of its town.
 */
const minLead = { sameClass: 0.05, otherClass: 0.35 }

/** Distance within which branches of a brand, and namesakes at other addresses, may be one place, in metres. */
const maxBranchMeters = 60

/** Distance in metres beyond which an equal id under another name proves nothing. */
const maxIdMeters = 5000

/** A comparison of two records. */
export interface Comparison {
  readonly probability: number
  readonly decision: MatchDecision | undefined
  readonly reasons: readonly MatchReason[]
}

const different: Comparison = { probability: 0, decision: undefined, reasons: [] }

/** Compares two records and decides about them; `isBrand` if many places have their name. */
export function decide(a: MatchRecord, b: MatchRecord, context: MatchContext, isBrand: boolean): Comparison {
  if (a.placeClass !== undefined && b.placeClass !== undefined && a.placeClass !== b.placeClass) return different
  const features = compare(a, b, context)
  const { probability, reasons } = score(features)
  if (probability < thresholds.possible) return { probability, decision: undefined, reasons }
  const isBranch = isBrand && distanceScale(b.placeClass ?? a.placeClass) === 1
  const isSame = probability >= thresholds.same && !isDoubtful(features, isBranch)
  return { probability, decision: isSame ? 'same' : 'possible', reasons }
}

/** Returns true where a high score does not suffice. */
function isDoubtful({ sameId, samePhone, sameStreet, name, meters, sameNumber }: Features, isBranch: boolean): boolean {
  if (sameId) return meters !== undefined && meters > maxIdMeters && name < 0.5
  const isApart = meters === undefined || meters > maxBranchMeters
  return isApart && !samePhone && (sameStreet === false || (isBranch && !sameNumber))
}

/** A candidate with its comparison. */
export interface ComparedCandidate<T> extends Comparison {
  readonly candidate: T
}

/** Returns true if a candidate follows the best one closely. */
function isRival<T extends { readonly record: MatchRecord }>(
  best: ComparedCandidate<T>,
  other: ComparedCandidate<T>,
): boolean {
  const isOtherClass = best.candidate.record.placeClass !== other.candidate.record.placeClass
  const lead = best.probability - other.probability
  return isOtherClass ? lead < minLead.otherClass : other.decision === 'same' && lead < minLead.sameClass
}

/**
 * Returns the candidates that may be the place of a record, the most probable first. Candidates that follow each other
 * closely are only possible, unless they are one place themselves.
 */
export function chooseCandidates<T extends { readonly record: MatchRecord }>(
  compared: readonly ComparedCandidate<T>[],
  isOnePlace: (a: T, b: T) => boolean,
): (ComparedCandidate<T> & { readonly decision: MatchDecision })[] {
  const found = compared
    .filter(one => one.decision !== undefined)
    .sort((a, b) => b.probability - a.probability) as (ComparedCandidate<T> & { decision: MatchDecision })[]
  const [best] = found
  const rivals = found.filter(one => one !== best && isRival(best!, one))
  const isUnclear = rivals.some(rival => !isOnePlace(best!.candidate, rival.candidate))
  return found.map(one =>
    one.decision === 'same' && isUnclear && (one === best || rivals.includes(one))
      ? { ...one, decision: 'possible' }
      : one,
  )
}
