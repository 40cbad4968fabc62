import type { IncomingHttpHeaders } from 'node:http'
import { occurrences, type RawQuery } from '../versions/primitives/param.ts'

/** X-API-Key wins, then a bearer token, then the query where the operator allows it. */
export function presentedSecret(headers: IncomingHttpHeaders, query: RawQuery, inQuery: boolean): string | undefined {
  const header = headers['x-api-key']
  if (header !== undefined) return String(header).trim()
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')
  if (bearer) return bearer[1]
  if (!inQuery) return undefined
  return occurrences(query, 'key')[0] ?? occurrences(query, 'api_key')[0]
}

/**
 * The path with secrets taken out, for logs and problem bodies: the values of `key` and `api_key`, however their names
 * are encoded, and whatever looks like a key of ours elsewhere.
 */
export function redacted(url: string): string {
  // Most paths hold neither a secret nor anything that could hide the name of one.
  if (!mayHoldSecret.test(url)) return url
  return url
    .replace(/([?&])([^?&=#]*)=[^&#]*/g, (pair, mark, name) => (isKeyName(name) ? `${mark}${name}=***` : pair))
    .replace(secrets, 'peri_$1_***')
}

const mayHoldSecret = /key|%|peri_/i
const secrets = /peri_(live|test)_[0-9A-Za-z]+/g

function isKeyName(name: string): boolean {
  if (!name.includes('%')) return keyNames.test(name)
  try {
    return keyNames.test(decodeURIComponent(name))
  } catch {
    return false
  }
}

const keyNames = /^(?:x-?)?(?:api[_-]?)?key$/i
