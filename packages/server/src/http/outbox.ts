/** Where answers wait for the end of the event loop's turn. */
export interface Outbox {
  /** Has `send` called together with those of all other answers of this turn, in order. */
  leave(send: () => void): void
}

/**
 * Lets all answers of a turn leave together. What they have to write before they leave is one write for all of them
 * and the kernel wakes the reader once instead of after each: under load that is a third of a request's cost.
 */
export function createOutbox(): Outbox {
  let waiting: (() => void)[] = []
  const flush = () => {
    const now = waiting
    waiting = []
    for (const send of now) send()
  }
  return {
    leave: send => {
      if (waiting.push(send) === 1) setImmediate(flush)
    },
  }
}
