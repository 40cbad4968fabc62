import type { SumPiece } from '../domain/ledger.ts'

const dayMs = 86_400_000

/**
 * Plans the sums of consecutive parts; part `i` is the half-open span from `bounds[i]` to `bounds[i + 1]`. Each part is
 * made of the UTC days between the midnights nearest to its bounds; the slots between a bound and its midnight are
 * added to the part that they belong to, and subtracted from the other one. Bounds must be starts of slots.
 */
export function planPieces(bounds: readonly number[]): SumPiece[] {
  const last = bounds.length - 1
  return bounds.flatMap((boundMs, i) => {
    const midnightMs = toMidnight(boundMs)
    const pieces: SumPiece[] = []
    const add = (rollUp: SumPiece['rollUp'], fromMs: number, toMs: number, part: number, sign: 1 | -1) => {
      if (fromMs < toMs && part >= 0 && part < last) pieces.push({ rollUp, fromMs, toMs, part, sign })
    }
    if (i < last) add('days', midnightMs, toMidnight(bounds[i + 1]!), i, 1)
    add('slots', midnightMs, boundMs, i - 1, 1)
    add('slots', midnightMs, boundMs, i, -1)
    add('slots', boundMs, midnightMs, i - 1, -1)
    add('slots', boundMs, midnightMs, i, 1)
    return pieces
  })
}

/** Returns the UTC midnight nearest to a time. */
const toMidnight = (timeMs: number): number => Math.round(timeMs / dayMs) * dayMs
