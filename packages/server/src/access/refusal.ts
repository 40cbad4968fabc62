import type { PolicyName } from './limit-policy.ts'

/** The refusal of a call by a limit (429). Nothing was charged. */
export interface Refusal {
  readonly refused: readonly PolicyName[]
  /** Whole seconds after which the same call is admitted; undefined when it can never be. */
  readonly retryAfterS?: number
  readonly detail: string
}

/** Words a refusal and its remedy. `retryAfterS` is undefined for more units than a whole quota. */
export function createRefusal(refused: readonly PolicyName[], retryAfterS: number | undefined): Refusal {
  if (retryAfterS === undefined) {
    return { refused, detail: 'The call costs more units than the whole daily quota. Split it into smaller calls.' }
  }
  return { refused, retryAfterS, detail: `${why(refused)} Wait ${retryAfterS} s.` }
}

function why(refused: readonly PolicyName[]): string {
  if (refused.includes('penalty'))
    return 'Calls arrived before the time that Retry-After had named, which extends the wait.'
  if (refused.includes('daily') || refused.includes('search-daily'))
    return 'The daily quota is not sufficient for this call.'
  return 'Calls arrive faster than the limit allows.'
}
