import type { FolderProblem } from '../domain/data-folder.ts'
import { type CheckedState, type FoldedFile, rollUpPeriodsMs, type UsageRow } from '../domain/ledger.ts'
import { hourMs } from '../kit/time.ts'
import { getUndividedSlotStart } from './slot.ts'
import { toRowKey } from './sums.ts'

/** The journal, the roll-ups and the limit states, which `checkLedger` compares. */
export interface LedgerCheckInput {
  /** Name of the journal's folder. */
  readonly folder: string
  /** Problems of single files of the journal. */
  readonly fileProblems: readonly FolderProblem[]
  /** Sums of the journal's records from `detailFromMs`, as far as the ledger has read the files. */
  readonly journal: readonly UsageRow[]
  /** Start of the period for which the journal has every call. */
  readonly detailFromMs: number
  /** Files whose calls are in the roll-ups and no longer in the journal. */
  readonly missing: readonly FoldedFile[]
  readonly slots: readonly UsageRow[]
  readonly eighths: readonly UsageRow[]
  readonly days: readonly UsageRow[]
  readonly states: readonly CheckedState[]
  /** Units in the journal, by `windowId`. */
  readonly windows: ReadonlyMap<string, number>
}

/** Returns a key that identifies a window of a subject. */
export const windowId = (subject: string, bucket: string, startMs: number): string =>
  `${subject}\t${bucket}\t${startMs}`

/** Compares journal, roll-ups and windows. Returns each problem with the file, or the journal's folder, that has it. */
export function checkLedger(input: LedgerCheckInput): FolderProblem[] {
  const { detailFromMs, missing } = input
  const isComparable = ({ fromMs }: UsageRow) =>
    fromMs >= detailFromMs &&
    !missing.some(({ firstMs, lastMs }) => fromMs + longestSlotMs > firstMs && fromMs <= lastMs)
  const differences = [
    ...findDifferences(
      'journal',
      input.journal.filter(isComparable),
      'roll-up by slot',
      input.slots.map(toUndivided).filter(isComparable),
    ),
    ...findDifferences(
      'roll-up by slot',
      input.slots.map(row => toPeriod(row, rollUpPeriodsMs.eighths)),
      'roll-up by eighth of a day',
      input.eighths,
    ),
    ...findDifferences(
      'roll-up by slot',
      input.slots.map(row => toPeriod(row, rollUpPeriodsMs.days)),
      'roll-up by day',
      input.days,
    ),
  ]
  for (const { subject, bucket, windowStartMs, used, carried } of input.states) {
    if (windowStartMs === 0 || windowStartMs < detailFromMs) continue
    if (missing.some(({ lastMs }) => windowStartMs <= lastMs)) continue
    const journalled = input.windows.get(windowId(subject, bucket, windowStartMs)) ?? 0
    if (journalled + carried === used) continue
    differences.push(
      `The ${bucket} window of ${subject} that opened ${isoTime(windowStartMs)} holds ${used} units; the journal has ${journalled + carried}.`,
    )
  }
  return [...input.fileProblems, ...differences.map(problem => ({ file: input.folder, problem }))]
}

const longestSlotMs = hourMs

function findDifferences(
  leftName: string,
  left: readonly UsageRow[],
  rightName: string,
  right: readonly UsageRow[],
): string[] {
  const [leftSums, rightSums] = [sumRows(left), sumRows(right)]
  const nothing = { calls: 0, units: 0 }
  return [...new Set([...leftSums.keys(), ...rightSums.keys()])].flatMap(id => {
    const [a, b] = [leftSums.get(id) ?? nothing, rightSums.get(id) ?? nothing]
    if (a.calls === b.calls && a.units === b.units) return []
    const row = (leftSums.get(id) ?? rightSums.get(id))!.row
    return `Key ${row.keyId}, ${row.operation}, status ${row.status}, from ${isoTime(row.fromMs)}: the ${leftName} has ${a.calls} calls and ${a.units} units, the ${rightName} ${b.calls} and ${b.units}.`
  })
}

function sumRows(rows: readonly UsageRow[]) {
  const sums = new Map<string, { row: UsageRow; calls: number; units: number }>()
  for (const row of rows) {
    const id = toRowKey(row)
    const sum = sums.get(id) ?? { row, calls: 0, units: 0 }
    sum.calls += row.calls
    sum.units += row.units
    sums.set(id, sum)
  }
  return sums
}

/** Returns a row with the start of its undivided slot. */
export const toUndivided = (row: UsageRow): UsageRow => ({ ...row, fromMs: getUndividedSlotStart(row.fromMs) })
const toPeriod = (row: UsageRow, periodMs: number): UsageRow => ({
  ...row,
  fromMs: row.fromMs - (row.fromMs % periodMs),
})
const isoTime = (ms: number): string => new Date(ms).toISOString()
