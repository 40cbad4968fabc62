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
  const shown = JSON.stringify(path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path)
  return (
    `{"level":30,"time":${Date.now()},"id":"${id}","method":"${method}","path":${shown}` +
    (operation === undefined ? '' : `,"operation":"${operation}"`) +
    (version === undefined ? '' : `,"version":"${version}"`) +
    (key === undefined ? '' : `,"key":"${key.id}","partner":${JSON.stringify(key.partnerId)}`) +
    `,"status":${response.status}` +
    (fault === undefined ? '' : `,"fault":"${fault}"`) +
    `,"bytes":${response.body?.length ?? 0},"ms":${Math.round(ms * 1000) / 1000},"msg":"request"}\n`
  )
}
