import { isAfter } from '../../src/usage/journal-position.ts'
import { checkEpochCount } from './check-epochs.ts'
import type { Evidence, JournalledCall, KeyLimits, Opening } from './evidence.ts'

/** The result of the checks of a run. */
export interface Findings {
  /** Sentences about units that are wrong; empty if all are right. */
  readonly violations: readonly string[]
  readonly admitted: number
  /** Admitted calls that were folded after a later epoch had opened, and calls of nodes alone. */
  readonly late: number
  readonly alone: number
  readonly epochs: number
}

/** Checks all calls of a run against the limits of their keys, the ledger and what the clients know. */
export function check(evidence: Evidence): Findings {
  const { openings, keys } = evidence
  const violations: string[] = []
  const admitted = evidence.calls.filter(({ status }) => status === 200)
  const isLate = latenessOf(openings)
  const byKey = Map.groupBy(admitted, ({ keyId }) => keyId)
  for (const [keyId, limits] of keys) {
    const calls = byKey.get(keyId) ?? []
    violations.push(...checkEpochs(keyId, limits, calls, openings), ...checkTotal(keyId, limits, calls, isLate))
  }
  violations.push(...checkEpochCount(evidence))
  violations.push(...checkIds(evidence.calls), ...checkBills(evidence, byKey), ...checkWindows(evidence, byKey))
  return {
    violations,
    admitted: admitted.length,
    late: admitted.filter(isLate).length,
    alone: admitted.filter(({ epoch }) => epoch === 0).length,
    epochs: openings.length,
  }
}

const isFolded = (call: JournalledCall, { positions }: Opening): boolean => {
  const position = positions.get(call.node)
  return position !== undefined && !isAfter(call.end, position)
}

/** Returns a function that is true for calls of an epoch that were not folded when a later one opened. */
const latenessOf =
  (openings: readonly Opening[]) =>
  (call: JournalledCall): boolean =>
    call.epoch !== 0 && openings.some(opening => opening.epoch > call.epoch && !isFolded(call, opening))

/** In an epoch, all that was folded when it opened and all that was decided in it keep the limits. */
function* checkEpochs(
  keyId: string,
  { rate, burst, quota }: KeyLimits,
  calls: readonly JournalledCall[],
  openings: readonly Opening[],
): Generator<string> {
  const decidedIn = Map.groupBy(calls, ({ epoch }) => epoch)
  const opened = new Set(openings.map(({ epoch }) => epoch))
  for (const [epoch, decided] of decidedIn)
    if (epoch !== 0 && !opened.has(epoch))
      yield `${keyId}: ${decided.length} calls were decided in epoch ${epoch}, which never opened.`
  for (const opening of openings) {
    const decided = decidedIn.get(opening.epoch) ?? []
    if (decided.length === 0) continue
    const before = calls.filter(call => isFolded(call, opening))
    const [known, added] = [sumUnits(before), sumUnits(decided)]
    if (added > Math.max(0, quota - known))
      yield `${keyId} in epoch ${opening.epoch}: ${known} + ${added} units of ${quota}.`
    const tatUs = before.reduce((latest, call) => Math.max(latest, call.tatUs), 0)
    yield* checkRate(`${keyId} in epoch ${opening.epoch}`, { rate, burst }, tatUs, decided)
  }
}

/**
 * A call has spent its token between its arrival and its response. In any span, at most the burst and what the rate
 * adds may have been spent; at the start of the epoch, the bucket was full no earlier than `tatUs`.
 */
function* checkRate(
  where: string,
  { rate, burst }: Pick<KeyLimits, 'rate' | 'burst'>,
  tatUs: number,
  calls: readonly JournalledCall[],
): Generator<string> {
  const byEnd = calls.toSorted((a, b) => a.endMs - b.endMs)
  const earliestMs = calls.reduce((earliest, { arrivalMs }) => Math.min(earliest, arrivalMs), Number.POSITIVE_INFINITY)
  if (calls.length <= burst && tatUs / 1000 <= earliestMs) return
  // Times of calls are whole milliseconds.
  const most = (fromMs: number, toMs: number) => burst + ((toMs - fromMs + 2) * rate) / 1000
  for (const fromMs of new Set(calls.map(({ arrivalMs }) => arrivalMs))) {
    let spent = 0
    for (const { arrivalMs, endMs } of byEnd) {
      if (arrivalMs < fromMs) continue
      spent++
      const fullMs = fromMs === earliestMs ? Math.max(fromMs, tatUs / 1000) : fromMs
      if (spent > most(fullMs, endMs)) {
        yield `${where}: ${spent} calls between ${fromMs} and ${endMs}, at most ${most(fullMs, endMs).toFixed(1)} may pass.`
        return
      }
    }
  }
}

/** Units over the quota must be explained by calls that the limits could not know. */
function* checkTotal(
  keyId: string,
  { quota }: KeyLimits,
  calls: readonly JournalledCall[],
  isLate: (call: JournalledCall) => boolean,
): Generator<string> {
  const total = sumUnits(calls)
  const explained = sumUnits(calls.filter(call => call.epoch === 0 || isLate(call)))
  if (total > quota + explained) yield `${keyId}: ${total} units of ${quota}; ${explained} are explained.`
}

function* checkIds(calls: readonly JournalledCall[]): Generator<string> {
  const ids = new Set<string>()
  for (const { node, requestId } of calls) {
    if (ids.has(requestId)) yield `Request ${requestId} is twice in the journals, the second time in that of ${node}.`
    ids.add(requestId)
  }
}

/** The ledger has the journals exactly, all that clients were answered, and at most what may have been answered. */
function* checkBills(
  { clients, billed }: Evidence,
  byKey: ReadonlyMap<string, readonly JournalledCall[]>,
): Generator<string> {
  for (const [keyId, known] of clients) {
    const journalled = byKey.get(keyId) ?? []
    const { calls, units } = billed.get(keyId) ?? { calls: 0, units: 0 }
    if (calls !== journalled.length || units !== sumUnits(journalled))
      yield `${keyId}: the ledger has ${calls} calls and ${units} units, the journals ${journalled.length} and ${sumUnits(journalled)}.`
    if (units < known.units || calls < known.answers)
      yield `${keyId}: ${known.answers} calls with ${known.units} units were answered, ${calls} with ${units} are billed.`
    if (units > known.units + known.unansweredUnits || calls > known.answers + known.unanswered)
      yield `${keyId}: ${calls} calls with ${units} units are billed, at most ${known.answers} + ${known.unanswered} with ${known.units} + ${known.unansweredUnits} were made.`
  }
}

/** A window has the units that were journalled under its start, and those that it has taken over. */
function* checkWindows(
  { windows, keys }: Evidence,
  byKey: ReadonlyMap<string, readonly JournalledCall[]>,
): Generator<string> {
  for (const { keyId, windowStartMs, used, carried } of windows) {
    if (!keys.has(keyId)) continue
    const calls = byKey.get(keyId) ?? []
    const own = sumUnits(calls.filter(call => call.windowStartMs === windowStartMs))
    if (own + carried !== used || used !== sumUnits(calls))
      yield `${keyId}: the window has ${used} units; ${own} were journalled under its start, ${carried} carried, ${sumUnits(calls)} admitted.`
  }
}

const sumUnits = (calls: readonly JournalledCall[]): number => calls.reduce((sum, { units }) => sum + units, 0)
