import type { UsageCursor } from '../../domain/ledger.ts'
import type { LimitStates } from '../../domain/limit-states.ts'
import type { Membership } from '../../domain/membership.ts'
import type { Line } from './line.ts'
import type { Rounds } from './rounds.ts'
import type { Scheduler } from './scheduler.ts'

export interface MemberParts {
  readonly states: LimitStates
  readonly membership: Membership
  readonly rounds: Rounds
  readonly scheduler: Scheduler
  readonly line: Pick<Line, 'nowUs' | 'follow' | 'correct' | 'confirmedStepUs'>
  /**
   * Writes the records of this turn and folds the journal to its end; returns the position there. Runs one fold at a
   * time.
   */
  readonly foldAll: () => Promise<UsageCursor>
  /** Answers calls without the cache; undefined if the node refuses them. */
  readonly alone?: AloneAnswers | undefined
  /** Called when another process has registered as this node. */
  readonly onReplaced: () => void
  /** Called when the mode has changed. */
  readonly onMode?: ((mode: MemberMode) => void) | undefined
  /** Called when an attempt to join has failed. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Answers of a node while it is in no epoch. */
export interface AloneAnswers {
  /** Answers with an equal part of each limit. What it has counted since `forget` continues to count. */
  answer(nodes: number): void
  /** Refuses calls until the next `answer`. */
  refuse(): void
  /** Forgets what it has counted, because the epoch that the node enters knows it. */
  forget(): void
}

/** `joining`: calls are refused until the node is in an epoch, or answers alone. */
export type MemberMode = 'in' | 'joining' | 'alone' | 'stopped'
