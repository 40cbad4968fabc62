import type { AuditedState, Ledger } from '../domain/ledger.ts'
import { foldJournal } from './fold.ts'

/** What the limiter has to know again before the first call is served. */
export interface Recovered {
  readonly states: AuditedState[]
  /** When the last call arrived, and how far the wall clock had been stepped by then. */
  readonly last: { readonly timeMs: number; readonly shiftMs: number }
}

/** Folds what the last process left in the journal, and reads the states that came of it. */
export async function recoverStates(folder: string, ledger: Ledger, nowMs: number): Promise<Recovered> {
  await foldJournal(folder, ledger)
  const last = (await ledger.last()) ?? { timeMs: 0, shiftMs: 0 }
  // The states lie in the wall time that the last process began with.
  return { states: await ledger.states(Math.min(nowMs, last.timeMs) - last.shiftMs), last }
}
