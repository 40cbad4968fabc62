import { Type } from '../kit/json-schema.ts'
import { parseInstant } from '../kit/time.ts'
import { type Problem, problem } from './problem.ts'

/** Query parameters of a period. */
export const periodQuery = {
  from: Type.Optional(
    Type.String({ description: 'Start: a date or time such as 2026-01-31 or 2026-01-31T12:00:00Z.' }),
  ),
  to: Type.Optional(Type.String({ description: 'End, exclusive: a date or time. Default: now.' })),
}

/** Reads the times of a period, in milliseconds since 1970. */
export function readPeriod(query: {
  readonly from?: string
  readonly to?: string
}): { readonly fromMs: number | undefined; readonly toMs: number | undefined } | Problem {
  const times = { from: toMs(query.from), to: toMs(query.to) }
  const wrong = (['from', 'to'] as const).filter(name => Number.isNaN(times[name]))
  if (wrong.length === 0) return { fromMs: times.from, toMs: times.to }
  const message = 'Expected a date or time such as 2026-01-31 or 2026-01-31T12:00:00Z.'
  return problem('parameters_invalid', {
    detail: wrong.map(field => `${field}: ${message}`).join(' '),
    fieldErrors: wrong.map(field => ({ field, message, rejectedValue: query[field]! })),
  })
}

const toMs = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (parseInstant(text) ?? Number.NaN)
