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
  /**
   * Called when the node starts or stops to answer alone, with the number of nodes that were known last. Undefined if
   * calls are refused without the cache.
   */
  readonly onAlone?: ((nodes: number | undefined) => void) | undefined
  /** Called when another process has registered as this node. */
  readonly onReplaced: () => void
  /** Called when the mode has changed. */
  readonly onMode?: ((mode: MemberMode) => void) | undefined
  /** Called when an attempt to join has failed. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** `joining`: calls are refused until the node is in an epoch, or answers alone. */
export type MemberMode = 'in' | 'joining' | 'alone' | 'stopped'
