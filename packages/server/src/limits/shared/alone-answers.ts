import type { Key } from '../../domain/key.ts'
import type { AloneLimits } from './alone.ts'
import type { AloneAnswers } from './member-parts.ts'

/** The answers of a node without the cache, with their limits. */
export interface LimitAnswers extends AloneAnswers {
  /** Returns the limits while they answer. */
  answering(): AloneLimits | undefined
  /** Ends the penalty of a key's subject. */
  forgive(key: Key): void
}

/** Creates the answers without the cache. From one epoch to the next, they have the same limits. */
export function createAloneAnswers(createLimits: () => AloneLimits): LimitAnswers {
  let limits: AloneLimits | undefined
  let isAnswering = false
  return {
    answer: nodes => {
      limits ??= createLimits()
      limits.divideBy(nodes)
      isAnswering = true
    },
    refuse: () => {
      isAnswering = false
    },
    forget: () => {
      limits = undefined
      isAnswering = false
    },
    answering: () => (isAnswering ? limits : undefined),
    forgive: key => limits?.forgive(key),
  }
}
