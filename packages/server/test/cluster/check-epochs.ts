import type { Ending, Evidence } from './evidence.ts'

type EpochEvidence = Pick<Evidence, 'openings' | 'endings' | 'losses' | 'nodes'>

/** Checks that epochs have ended exactly when the cache lost what it knew, and otherwise for nodes that were away. */
export function* checkEpochCount({ openings, endings, losses, nodes }: EpochEvidence): Generator<string> {
  const last = openings.at(-1)?.epoch ?? 0
  for (const epoch of losses.epochs)
    if (epoch >= last) yield `Epoch ${epoch} continued after the cache had lost it; the last one was ${last}.`
  if (openings.length > endings.length + 1)
    yield `${openings.length} epochs have opened, and only ${endings.length} have ended.`
  const count = (...causes: Ending['cause'][]) => endings.filter(({ cause }) => causes.includes(cause)).length
  if (count('other cache') > losses.lives)
    yield `${count('other cache')} epochs have ended with the cache, which became another one ${losses.lives} times.`
  // A ledger that has lost commits may have an older epoch than the cache.
  const mostLost = losses.flushes + losses.lives + 2 * losses.setbacks
  if (count('epoch lost') > mostLost)
    yield `${count('epoch lost')} epochs were missing from the cache, which lost at most ${mostLost}.`
  // Each fault can silence each node once, or let it answer alone.
  if (count('late', 'alone') > nodes * losses.faults)
    yield `${count('late', 'alone')} epochs have ended for nodes that were away in ${losses.faults} faults.`
}
