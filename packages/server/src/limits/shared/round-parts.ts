import type { LimitSettings } from '../../access/limits.ts'
import type { FoldedState } from '../../domain/ledger.ts'
import type { LimitStates } from '../../domain/limit-states.ts'
import type { Scheduler } from './scheduler.ts'

/** The states of subjects in the ledger. */
export type Seeds = ReadonlyMap<string, readonly FoldedState[]>

export interface RoundParts {
  readonly states: LimitStates
  readonly settings: LimitSettings
  readonly scheduler: Scheduler
  /** Returns the time on the line of all nodes, in microseconds since 1970. */
  readonly lineUs: () => number
  /** Reads the states of subjects from the ledger. */
  readonly readSeeds: (subjects: readonly string[]) => Promise<Seeds>
  /** Called when the node must leave its epoch. `missing`: a state is gone that was swapped here. */
  readonly onLost: (cause: LostCause, epoch: number) => void
  /** Called with an UnknownForm: the state of a subject is of a newer release. */
  readonly onUnreadable: (error: unknown) => void
}

export type LostCause = 'unavailable' | 'other epoch' | 'missing'

/** Counters of the decisions of a node, for metrics. */
export interface RoundCounters {
  decided: number
  /** Decisions that needed no swap, because they change nothing. */
  withoutSwap: number
  voided: number
  swaps: number
  beaten: number
  gets: number
  seeds: number
}

export const createCounters = (): RoundCounters => ({
  decided: 0,
  withoutSwap: 0,
  voided: 0,
  swaps: 0,
  beaten: 0,
  gets: 0,
  seeds: 0,
})
