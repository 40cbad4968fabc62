import type { PolicyName } from './limit-policy.ts'

/** The refusal of a call by a limit (429). Nothing was charged. */
export interface Refusal {
  readonly refused: readonly PolicyName[]
  /** Seconds after which the same call is admitted; undefined if it can never be admitted. */
  readonly retryAfterS?: number
  readonly detail: string
}

/** Creates a refusal with a user-facing message. `retryAfterS` is undefined if the call costs more than the entire quota. */
export function createRefusal(refused: readonly PolicyName[], retryAfterS: number | undefined): Refusal {
  if (retryAfterS === undefined) {
    return { refused, detail: 'The call costs more units than the entire daily quota. Split it into smaller calls.' }
  }
  return { refused, retryAfterS, detail: `${describeReason(refused)} Wait ${retryAfterS} s.` }
}

function describeReason(refused: readonly PolicyName[]): string {
  if (refused.includes('penalty')) return 'Calls before the time given in Retry-After extend the wait.'
  if (refused.includes('daily') || refused.includes('search-daily'))
    return 'The daily quota is not sufficient for this call.'
  return 'Calls arrive faster than the limit allows.'
}
