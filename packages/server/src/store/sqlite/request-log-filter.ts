import { type CallQuery, InvalidCursor } from '../../domain/request-log.ts'

/** The place of a call in the order of the list. */
export interface CallKey {
  readonly time_ms: number
  readonly id: Buffer
}

/** The SQL of a list of one key's calls. */
export interface CallFilter {
  /** Terms after `WHERE`, each with a leading AND. */
  readonly terms: string
  readonly values: readonly unknown[]
  /** The index of failed calls, if the filter asks for them alone. */
  readonly index: string
}

/** Builds the filter of a list; `after` is the last call of the previous page. */
export function buildCallFilter(query: CallQuery, after: CallKey | undefined): CallFilter {
  const { status, statusFrom = status, statusTo = status, operation, fault, toMs } = query
  const terms: [term: string, ...values: unknown[]][] = []
  if (after) terms.push(['(c.time_ms, c.id) < (?, ?)', after.time_ms, after.id])
  if (toMs !== undefined) terms.push(['c.time_ms < ?', toMs])
  if (statusFrom !== undefined) terms.push(['c.status >= ?', statusFrom])
  if (statusTo !== undefined) terms.push(['c.status <= ?', statusTo])
  if (operation !== undefined) terms.push(['c.operation = (SELECT no FROM operations WHERE name = ?)', operation])
  if (fault !== undefined) terms.push(['c.fault = ?', fault])
  const isFailed = fault !== undefined || (statusFrom !== undefined && statusFrom >= 400)
  // The literal term lets SQLite use the index of failed calls.
  if (isFailed) terms.push(['c.status >= 400'])
  return {
    terms: terms.map(([term]) => ` AND ${term}`).join(''),
    values: terms.flatMap(([, ...values]) => values),
    index: isFailed ? 'INDEXED BY calls_failed' : '',
  }
}

/** Returns true if a call is before another one in the order of time and id, so that a list has it later. */
export const isBefore = (a: CallKey, b: CallKey): boolean =>
  a.time_ms < b.time_ms || (a.time_ms === b.time_ms && Buffer.compare(a.id, b.id) < 0)

/** Encodes the place after a call as a cursor. */
export const writeCursor = ({ time_ms, id }: CallKey): string => `${time_ms.toString(36)}-${id.toString('base64url')}`

/** Decodes a cursor of `writeCursor`; throws InvalidCursor for any other text. */
export function readCursor(text: string): CallKey {
  const [, time, id] = /^([\da-z]{1,10})-([\w-]{22})$/.exec(text) ?? []
  if (time === undefined || id === undefined) throw new InvalidCursor()
  return { time_ms: Number.parseInt(time, 36), id: Buffer.from(id, 'base64url') }
}
