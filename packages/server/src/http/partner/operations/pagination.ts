import type { Fault } from '../../../domain/fault.ts'
import type { ListPosition, PageEnd } from '../../../domain/list-position.ts'
import type { Operation } from '../../../domain/operation.ts'
import { hashText } from '../../../kit/hash-text.ts'
import { dayMs } from '../../../kit/time.ts'
import { formatListCursor, type ListCursor } from '../../../versions/primitives/list-cursor.ts'
import { getValues } from '../../../versions/primitives/param.ts'
import { getAllValues } from '../../../versions/primitives/read-params.ts'
import { invalidParameters, toFieldError } from '../../../versions/primitives/requests/read-args.ts'
import { isKnownName } from '../../../versions/primitives/unknown-names.ts'
import type { Call } from '../call.ts'
import { getParams } from '../params.ts'
import { routes } from '../routes.ts'

/** Builds the numbers of `pagination` of a list (rulings: Operations). */
export const toPagination = (request: { readonly page: number; readonly size: number }, total: number) => ({
  page: request.page,
  size: request.size,
  total_elements: total,
  total_pages: Math.ceil(total / request.size),
})

/** The page that a call asks for. */
interface PageRequest {
  readonly page: number
  readonly size: number
  readonly cursor?: ListCursor
}

/** A call of a list, and its time. */
export interface ListCall {
  readonly operation: Operation
  readonly call: Call
  readonly nowMs: number
}

/** Days for which a cursor is valid. */
const validDays = 7
/** Maximum length of a URL in a header: some proxies turn answers with more than 4 KB of header fields into 502. */
const maxLinkLength = 3000
/** Parameters that neither change what a list contains nor its order. */
const presenting: readonly string[] = ['page', 'size', 'cursor', 'locale', 'fields']

/** Returns the position of a cursor; undefined without one, a fault for an old one or one of another list. */
export function readPosition(list: ListCall, { cursor }: PageRequest): ListPosition | undefined | Fault {
  if (cursor === undefined) return undefined
  if (getValues(list.call.query, 'page').length > 0)
    return refuse('page', 'page cannot be combined with cursor, which contains the position.')
  if (cursor.query !== hashList(list))
    return refuse('cursor', 'cursor belongs to another query. Send it with the parameters of the answer that gave it.')
  if (toDay(list.nowMs) - cursor.day > validDays)
    return refuse('cursor', `cursor is older than ${validDays} days. Begin with the first page again.`)
  return cursor
}

/** Returns the member `pagination` of a page, and the URL of the next one unless it is too long for a header. */
export function describePage(
  list: ListCall,
  { page, size, cursor }: PageRequest,
  { total, offset, next }: PageEnd & { readonly total: number },
  publicUrl: string,
): { readonly pagination: object; readonly next?: string } {
  const numbers = toPagination({ page: cursor ? Math.floor(offset / size) + 1 : page, size }, total)
  if (next === undefined) return { pagination: numbers }
  const text = formatListCursor({ ...next, query: hashList(list), day: toDay(list.nowMs) })
  const url = toNextUrl(list, text, publicUrl)
  const pagination = { ...numbers, ...list.call.version.present.nextPage?.({ cursor: text, url }) }
  return url.length > maxLinkLength ? { pagination } : { pagination, next: url }
}

const refuse = (field: string, message: string): Fault => invalidParameters([toFieldError(field, message)])

const toDay = (ms: number): number => Math.floor(ms / dayMs)

/** Hashes what a list contains and its order: its path, and the parameters that select. */
function hashList({ operation, call: { version, query, params } }: ListCall): number {
  const set = getParams(version, operation)
  let text = `${operation} ${params.id ?? ''}`
  for (const name in set) {
    if (presenting.includes(name)) continue
    const values = getAllValues(query, name, set[name]!.aliases)
    if (values.length > 0) text += `\n${name}=${values.join('\t')}`
  }
  return hashText(text)
}

/** Returns the URL of the next page, with the parameters of this one that the operation has, and without the key. */
function toNextUrl({ operation, call }: ListCall, cursor: string, publicUrl: string) {
  const { version, query, params, prefix = '' } = call
  const set = getParams(version, operation)
  const next = new URLSearchParams()
  for (const name in query) {
    if (name === 'page' || name === 'cursor' || !isKnownName(set, name)) continue
    for (const value of getValues(query, name)) next.append(name, value)
  }
  next.append('cursor', cursor)
  const { path } = routes.find(route => route.operation === operation)!
  return `${publicUrl}${prefix}${path.replace(':id', params.id ?? '')}?${next}`
}
