import type { PolicyName } from './limit-policy.ts'

/** A call that a limit refuses (429). Nothing was charged. */
export interface Refusal {
  readonly refused: readonly PolicyName[]
  /** Whole seconds after which the same call is served; absent when it never fits. */
  readonly retryAfterS?: number
  readonly detail: string
}

/** Says what was refused and what to do about it. `retryAfterS` undefined: more units than a whole quota. */
export function refusal(refused: readonly PolicyName[], retryAfterS: number | undefined): Refusal {
  if (retryAfterS === undefined) {
    return { refused, detail: 'The call costs more units than the whole daily quota. Split it into smaller calls.' }
  }
  return { refused, retryAfterS, detail: `${why(refused)} Wait ${retryAfterS} s.` }
}

function why(refused: readonly PolicyName[]): string {
  if (refused.includes('penalty'))
    return 'Calls came before the time that Retry-After had named, which extends the wait.'
  if (refused.includes('daily') || refused.includes('search-daily'))
    return 'The daily quota does not suffice for this call.'
  return 'Calls come faster than the limit allows.'
}
