import type { CheckedState, LastRecord, Ledger, ProcessClock } from '../domain/ledger.ts'
import { foldJournal } from './fold.ts'
import type { JournalDamage, JournalLoss } from './journal-losses.ts'

/** The limit states to restore before the first call is served. */
export interface Recovered {
  readonly states: CheckedState[]
  /** Arrival time of the last call, and the shift of the wall clock at that time (UsageRecord). */
  readonly last: LastRecord
  /** The clock of the previous process; undefined before the first. */
  readonly clock: ProcessClock | undefined
  /** Files of the journal that are missing or shortened. */
  readonly losses: readonly JournalLoss[]
  /** Parts of the journal that are damaged. */
  readonly damages: readonly JournalDamage[]
}

/** Folds the rest of the journal of the previous process, and returns the resulting states. */
export async function recoverStates(folder: string, ledger: Ledger, nowMs: number): Promise<Recovered> {
  const { losses, damages } = await foldJournal(folder, ledger)
  const last = (await ledger.last()) ?? { timeMs: 0, shiftMs: 0 }
  // States are relative to the wall time at which the previous process started, without its later shifts.
  const states = await ledger.states(Math.min(nowMs, last.timeMs) - last.shiftMs)
  return { states, last, clock: await ledger.clock(), losses, damages }
}
