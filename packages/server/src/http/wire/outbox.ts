/** Where answers wait for the end of the event loop's turn. */
export interface Outbox {
  /** Has `send` called together with those of all other answers of this turn, in order. */
  leave(send: () => void): void
  /** Has `work` done at the end of this turn. Answers that wait for it leave right after it, in the same turn. */
  endOfTurn(work: () => void): void
}

/**
 * Lets all answers of a turn leave together. What they have to write before they leave is one write for all of them
 * and the kernel wakes the reader once instead of after each: under load that is a third of a request's cost.
 */
export function createOutbox(): Outbox {
  let waiting: (() => void)[] = []
  let ending = false
  const flush = () => {
    const now = waiting
    waiting = []
    ending = false
    for (const send of now) send()
  }
  return {
    leave: send => {
      if (waiting.push(send) > 1) return
      // A tick runs when all that was waiting for the turn's work has got here, and before the next turn.
      if (ending) process.nextTick(flush)
      else setImmediate(flush)
    },
    endOfTurn: work => {
      setImmediate(() => {
        ending = true
        work()
      })
    },
  }
}
