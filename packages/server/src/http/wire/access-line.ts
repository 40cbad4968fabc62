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
  const { response, version, key, fault } = handled
  const shown = quote(path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path)
  return (
    `{"level":30,"time":${formatNow()},"id":"${id}","method":"${method}","path":${shown}` +
    (operation === undefined ? '' : `,"operation":"${operation}"`) +
    (version === undefined ? '' : `,"version":"${version}"`) +
    (key === undefined ? '' : `,"key":"${key.id}","partner":${quote(key.partnerId)}`) +
    `,"status":${response.status}` +
    (fault === undefined ? '' : `,"fault":"${fault}"`) +
    `,"bytes":${response.body?.length ?? 0},"ms":${formatMs(ms)},"msg":"request"}\n`
  )
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
