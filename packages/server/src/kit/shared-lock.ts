/** Set in a lock that threads wait for. */
const waitedFor = 1 << 30
/** Attempts before a thread sleeps: locks are held for about a microsecond. */
const attempts = 100

/**
 * Takes a lock: a word of shared memory that holds the number of the thread that has it, or 0 (Drepper, Futexes Are
 * Tricky, 2011). Blocks while another thread has it. Locks are not reentrant.
 */
export function lock(words: Int32Array, at: number, thread: number): void {
  for (let i = 0; i < attempts; i++) if (Atomics.compareExchange(words, at, 0, thread) === 0) return
  while (Atomics.compareExchange(words, at, 0, thread | waitedFor) !== 0) {
    const held = Atomics.load(words, at)
    if (held === 0) continue
    const marked = held | waitedFor
    if (held === marked || Atomics.compareExchange(words, at, held, marked) === held) Atomics.wait(words, at, marked)
  }
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
