import type { Engine } from '../domain/stores.ts'
import { repeat } from '../kit/repeat.ts'
import { hourMs } from '../kit/time.ts'

const checkEveryMs = 1000

/** Options of `startJournalEventRound`. */
export interface JournalEventOptions {
  /** Shared memory: 1 as a 32-bit integer while the journal cannot be written. */
  readonly journalFailing: SharedArrayBuffer
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

/** Periodically looks whether the journal of this process fails, and adds the event of it. */
export const startJournalEventRound = (
  engine: Engine,
  { journalFailing, nowMs, onError }: JournalEventOptions,
): { stop(): Promise<void> } =>
  repeat(createJournalRound(engine, journalFailing, nowMs), { everyMs: checkEveryMs, onError })

/**
 * Returns a round that adds an event when the journal begins to fail. The event is added later if its store is on the
 * same full disk.
 */
function createJournalRound(
  engine: Engine,
  journalFailing: SharedArrayBuffer,
  nowMs: () => number,
): () => Promise<void> {
  const failing = new Int32Array(journalFailing)
  let wasFailing = false
  let unreportedMs: number | undefined
  return async () => {
    const isFailing = Atomics.load(failing, 0) === 1
    if (isFailing && !wasFailing) unreportedMs = nowMs()
    wasFailing = isFailing
    if (unreportedMs === undefined) return
    const uniqueKey = `journal.failing:${Math.floor(unreportedMs / hourMs)}`
    await engine.events.add([{ type: 'journal.failing', atMs: unreportedMs, data: {}, uniqueKey }])
    unreportedMs = undefined
  }
}
