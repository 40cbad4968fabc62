import { rollUpPeriodsMs, type SumPiece } from '../domain/ledger.ts'

/**
 * Plans the sums of consecutive parts; part `i` is the half-open span from `bounds[i]` to `bounds[i + 1]`. Each part is
 * made of the UTC days between the midnights nearest to its bounds; the eighths and slots between a bound and its
 * midnight are added to the part that they belong to, and subtracted from the other one. Bounds must be starts of
 * slots.
 */
export function planPieces(bounds: readonly number[]): SumPiece[] {
  const last = bounds.length - 1
  return bounds.flatMap((boundMs, i) => {
    const pieces: SumPiece[] = []
    const add = (rollUp: SumPiece['rollUp'], fromMs: number, toMs: number, part: number, sign: 1 | -1) => {
      if (fromMs < toMs && part >= 0 && part < last) pieces.push({ rollUp, fromMs, toMs, part, sign })
    }
    /** Moves the border between the parts before and after the bound. */
    const move = (rollUp: SumPiece['rollUp'], fromMs: number, toMs: number) => {
      add(rollUp, fromMs, toMs, i - 1, 1)
      add(rollUp, fromMs, toMs, i, -1)
      add(rollUp, toMs, fromMs, i - 1, -1)
      add(rollUp, toMs, fromMs, i, 1)
    }
    const [midnightMs, eighthMs] = [toNearest('days', boundMs), toNearest('eighths', boundMs)]
    if (i < last) add('days', midnightMs, toNearest('days', bounds[i + 1]!), i, 1)
    move('eighths', midnightMs, eighthMs)
    move('slots', eighthMs, boundMs)
    return pieces
  })
}

/** Returns the start of a period of a roll-up that is nearest to a time. */
const toNearest = (rollUp: keyof typeof rollUpPeriodsMs, timeMs: number): number =>
  Math.round(timeMs / rollUpPeriodsMs[rollUp]) * rollUpPeriodsMs[rollUp]
