/** Set in a lock that threads wait for. */
const waitedFor = 1 << 30
/** Attempts before a thread sleeps: locks are held for about a microsecond. */
const attempts = 100

/**
 * Takes a lock: a word of shared memory that holds the number of the thread that has it, or 0 (Drepper, Futexes Are
 * Tricky, 2011). Returns 0, or the number of a thread that has kept it for `maxMs`: a thread that was ended does not
 * release its locks, and its owner learns of the end only when it waits no more. Locks are not reentrant.
 */
export function lock(words: Int32Array, at: number, thread: number, maxMs: number): number {
  for (let i = 0; i < attempts; i++) if (Atomics.compareExchange(words, at, 0, thread) === 0) return 0
  while (Atomics.compareExchange(words, at, 0, thread | waitedFor) !== 0) {
    const held = Atomics.load(words, at)
    if (held === 0) continue
    const marked = held | waitedFor
    const isMarked = held === marked || Atomics.compareExchange(words, at, held, marked) === held
    if (isMarked && Atomics.wait(words, at, marked, maxMs) === 'timed-out') return held & ~waitedFor
  }
  return 0
}

/** Releases a lock and wakes a thread that waits for it. */
export function unlock(words: Int32Array, at: number): void {
  if ((Atomics.exchange(words, at, 0) & waitedFor) !== 0) Atomics.notify(words, at, 1)
}

/** Releases a lock if a thread that has ended still has it; returns true if it did. */
export function unlockFor(words: Int32Array, at: number, endedThread: number): boolean {
  if ((Atomics.load(words, at) & ~waitedFor) !== endedThread) return false
  unlock(words, at)
  return true
}
