import { type CallQuery, InvalidCursor } from '../../domain/request-log.ts'

/** The place of a call in the order of the list. */
export interface CallKey {
  readonly time_ms: number
  readonly id: Buffer
}

/** Terms of SQL, each with a leading AND, and their values. */
export interface SqlTerms {
  readonly terms: string
  readonly values: readonly unknown[]
}

type Term = [term: string, ...values: unknown[]]

const joinTerms = (terms: readonly Term[]): SqlTerms => ({
  terms: terms.map(([term]) => ` AND ${term}`).join(''),
  values: terms.flatMap(([, ...values]) => values),
})

/** Returns the terms of a list of calls `c` about their order; `after` is the last call of the previous page. */
export function orderTerms({ toMs }: CallQuery, after: CallKey | undefined): SqlTerms {
  const terms: Term[] = []
  if (after) terms.push(['(c.time_ms, c.id) < (?, ?)', after.time_ms, after.id])
  if (toMs !== undefined) terms.push(['c.time_ms < ?', toMs])
  return joinTerms(terms)
}

/** Returns the terms that groups `g` with operations `o` must match; undefined if a query has no such filter. */
export function groupTerms({
  status,
  statusFrom = status,
  statusTo = status,
  operation,
  fault,
}: CallQuery): SqlTerms | undefined {
  const terms: Term[] = []
  if (statusFrom !== undefined) terms.push(['g.status >= ?', statusFrom])
  if (statusTo !== undefined) terms.push(['g.status <= ?', statusTo])
  if (operation !== undefined) terms.push(['o.name = ?', operation])
  if (fault !== undefined) terms.push(['g.fault = ?', fault])
  return terms.length === 0 ? undefined : joinTerms(terms)
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
