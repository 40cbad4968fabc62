import type { CheckedState, LastRecord, Ledger, ProcessClock, StoredState } from '../domain/ledger.ts'
import { foldJournal } from './fold.ts'
import type { JournalDamage, JournalLoss } from './journal-losses.ts'
import type { JournalReader } from './journal-reader.ts'
import { Sums } from './sums.ts'
import { UnfoldedJournal } from './unfolded.ts'

/** The limit states of the latest process that serves. */
export interface StoredStates {
  readonly states: CheckedState[]
  /** Arrival time of the last call, and the shift of the wall clock at that time (UsageRecord). */
  readonly last: LastRecord
  /** The clock of the previous process; undefined before the first. */
  readonly clock: ProcessClock | undefined
}

/** The limit states to restore before the first call is served. */
export interface Recovered extends StoredStates {
  /** Files of the journal that are missing or shortened. */
  readonly losses: readonly JournalLoss[]
  /** Parts of the journal that are damaged. */
  readonly damages: readonly JournalDamage[]
}

const noCalls: LastRecord = { timeMs: 0, shiftMs: 0 }

/** Folds the rest of the journal of the previous process, and returns the resulting states. */
export async function recoverStates(journal: JournalReader, ledger: Ledger, nowMs: number): Promise<Recovered> {
  const { losses, damages } = await foldJournal(journal, ledger)
  const last = (await ledger.last()) ?? noCalls
  // States are relative to the wall time at which the previous process started, without its later shifts.
  const states = await ledger.states(Math.min(nowMs, last.timeMs) - last.shiftMs)
  return { states, last, clock: await ledger.clock(), losses, damages }
}

/** Reads the states of all calls so far, without changing the ledger: another process may serve. */
export async function readStates(journal: JournalReader, ledger: Ledger, nowMs: number): Promise<StoredStates> {
  for (;;) {
    const position = await ledger.position()
    const tail = new Sums()
    for await (const { calls } of new UnfoldedJournal(journal, await ledger.files()).read()) tail.add(calls)
    const { states, last = (await ledger.last()) ?? noCalls } = tail.fold()
    const folded = await ledger.states(Math.min(nowMs, last.timeMs) - last.shiftMs)
    const clock = await ledger.clock()
    // Retry: part of the tail was folded concurrently and would be counted twice.
    if ((await ledger.position()) === position) return { states: addStates(folded, states), last, clock }
  }
}

/**
 * Adds states to those of the ledger, as a fold does: units add up within a window, and a later window replaces an
 * earlier one.
 */
function addStates(folded: readonly CheckedState[], states: readonly StoredState[]): CheckedState[] {
  const nameOf = ({ subject, bucket }: StoredState) => `${bucket} ${subject}`
  const all = new Map(folded.map(state => [nameOf(state), state]))
  for (const state of states) {
    const { windowStartMs = 0, used = 0, carried = 0 } = all.get(nameOf(state)) ?? {}
    const added =
      state.windowStartMs > windowStartMs
        ? { windowStartMs: state.windowStartMs, used: state.used, carried: 0 }
        : { windowStartMs, used: state.windowStartMs === windowStartMs ? used + state.used : used, carried }
    all.set(nameOf(state), { ...state, ...added })
  }
  return [...all.values()]
}
