import type { IncomingHttpHeaders } from 'node:http'
import { getValues, type RawQuery } from '../../versions/primitives/param.ts'

/**
 * Returns the secret of a request: X-API-Key first, then a bearer token, then the query if the operator allows
 * it.
 */
export function readSecret(headers: IncomingHttpHeaders, query: RawQuery, inQuery: boolean): string | undefined {
  const header = headers['x-api-key']
  if (header !== undefined) return String(header).trim()
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')
  if (bearer) return bearer[1]
  if (!inQuery) return undefined
  return getValues(query, 'key')[0] ?? getValues(query, 'api_key')[0]
}

/** Returns a query without the names under which keys are accepted. */
export function omitSecrets(query: RawQuery): RawQuery {
  if (query.key === undefined && query.api_key === undefined) return query
  const { key: _, api_key: __, ...rest } = query
  return rest
}
