import type { Id } from './id.ts'
import type { MatchDecision, MatchReason } from './match.ts'
import type { PlaceClass } from './place-class.ts'

/** The places to compare, and the survivors to prefer. */
export interface DuplicatesInput {
  /** Only places of these sources; undefined for all. */
  readonly sources?: readonly string[] | undefined
  /** Only places of these classes; undefined for all. */
  readonly classes?: readonly PlaceClass[] | undefined
  /** Minimum score of two places that are merged, 0 to 1. */
  readonly minScore: number
  /** Sources whose places survive, the most preferred first. */
  readonly prefer: readonly string[]
}

/** A place of a pair, as reports show it. */
export interface PairedPlace {
  readonly id: Id
  readonly source: string
  readonly name: string
}

/** Places of two sources that have one name and are close, as an import reports them. */
export interface PossibleDuplicates {
  readonly sources: readonly string[]
  readonly class: PlaceClass
  /** Number of pairs. */
  readonly count: number
  /** Ids of some pairs. */
  readonly examples: readonly (readonly [Id, Id])[]
}

/** Two places that are the same, or may be. */
export interface FoundPair {
  readonly a: PairedPlace
  readonly b: PairedPlace
  readonly class: PlaceClass
  readonly decision: MatchDecision
  readonly score: number
  readonly reasons: readonly MatchReason[]
  /** The place that survives a merge of both; undefined if they are reported only. */
  readonly keep?: Id
}

/** A merge that duplicates suggest. */
export interface SuggestedMerge {
  readonly id: Id
  readonly into: Id
  readonly score: number
}

export interface DuplicatesFound {
  /** Number of places that were compared. */
  readonly places: number
  readonly pairs: readonly FoundPair[]
  readonly merges: readonly SuggestedMerge[]
  /** Number of places with so many duplicates that a person has to look at them. */
  readonly oversized: number
}

/** Result of a run that merged duplicates, or undid merges. */
export interface MergedDuplicates {
  readonly run: string
  /** Number of places that were merged, or exist again. */
  readonly changed: number
  /** Number of places that had changed since they were compared. */
  readonly skipped: number
}
