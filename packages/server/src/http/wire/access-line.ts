import type { HandledRequest } from './http-response.ts'

/** Id and path of a request, for logs and problem documents. */
export interface Exchange {
  readonly id: string
  /** Path and query, without secrets. */
  readonly path: string
}

const maxPathLength = 300

/**
 * Formats the log line of a request. Concatenates strings, because a general serialiser would cost several microseconds
 * per request. Only the path and the partner id are free text and need escaping. The line contains the id of the key,
 * never its secret.
 */
export function formatAccessLine(
  method: string,
  { id, path }: Exchange,
  handled: HandledRequest,
  ms: number,
  operation?: string,
): string {
  const shown = quote(path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path)
  return (
    `{"level":30,"time":${formatNow()},"id":"${id}","method":"${method}","path":${shown}` +
    formatTerms(handled, operation) +
    `,"bytes":${handled.response.body?.length ?? 0},"ms":${formatMs(ms)},"msg":"request"}\n`
  )
}

interface Terms {
  readonly operation: string
  readonly version: string | undefined
  readonly key: HandledRequest['key']
  readonly status: number
  readonly fault: string | undefined
}

/** The terms of the latest request, and their members of the line: consecutive requests often share them. */
let latestTerms: { readonly terms: Terms; readonly text: string } | undefined

function formatTerms({ response: { status }, version, key, fault }: HandledRequest, operation = ''): string {
  const known = latestTerms?.terms
  if (
    known?.key === key &&
    known?.operation === operation &&
    known.version === version &&
    known.status === status &&
    known.fault === fault
  )
    return latestTerms!.text
  const text =
    (operation === '' ? '' : `,"operation":"${operation}"`) +
    (version === undefined ? '' : `,"version":"${version}"`) +
    (key === undefined ? '' : `,"key":"${key.id}","partner":${quote(key.partnerId)}`) +
    `,"status":${status}` +
    (fault === undefined ? '' : `,"fault":"${fault}"`)
  latestTerms = { terms: { operation, version, key, status, fault }, text }
  return text
}

/** Returns a text as a JSON string. Few texts need the serialiser. */
const quote = (text: string): string => (needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text))

const needsNoEscape = /^[ !#-[\]-~]*$/

/** The latest time, and its digits: calls of one turn of the event loop share them. */
let latest = { ms: 0, digits: '' }

function formatNow(): string {
  const ms = Date.now()
  if (ms !== latest.ms) latest = { ms, digits: String(ms) }
  return latest.digits
}

/** Formats milliseconds with three decimals. Integers are formatted faster than fractions. */
function formatMs(ms: number): string {
  const us = Math.round(ms * 1000)
  const whole = Math.floor(us / 1000)
  const rest = us - whole * 1000
  return `${whole}.${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}`
}
