import type { CallQuery } from '../../domain/request-log.ts'
import type { CallKey } from '../rows/request-log-cursor.ts'

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
