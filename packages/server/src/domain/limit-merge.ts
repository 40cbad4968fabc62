import type { UsageMark } from './ledger.ts'
import { windowMs } from './quota-window.ts'

/** The window of one subject in one bucket, as one or more journals have it. */
export interface MergedWindow {
  readonly windowStartMs: number
  /** Units charged in the window, `carried` included. */
  readonly used: number
  /** Units that were recorded under another start of the window. */
  readonly carried: number
}

/**
 * Merges two sums of a window. Starts less than 24 hours apart are of nodes that did not see each other: the later one
 * has the units of both. Otherwise the earlier window is over. The order of merges does not matter for windows that are
 * all near one another.
 */
export function mergeWindows(a: MergedWindow, b: MergedWindow): MergedWindow {
  if (a.windowStartMs < b.windowStartMs) return mergeWindows(b, a)
  if (b.windowStartMs <= a.windowStartMs - windowMs) return a
  const carried = a.windowStartMs === b.windowStartMs ? a.carried + b.carried : a.carried + b.used
  return { windowStartMs: a.windowStartMs, used: a.used + b.used, carried }
}

/** Merges two penalties of a subject: the later promise counts, then the later strike, then the more strikes. */
export function mergePenalties(a: UsageMark['penalty'], b: UsageMark['penalty']): UsageMark['penalty'] {
  if (!a || !b) return a ?? b
  return comparePenalties(a, b) >= 0 ? a : b
}

type Penalty = NonNullable<UsageMark['penalty']>

const comparePenalties = (a: Penalty, b: Penalty): number =>
  a.promiseUs - b.promiseUs || a.struckUs - b.struckUs || a.strikes - b.strikes || a.firstRefusalUs - b.firstRefusalUs
