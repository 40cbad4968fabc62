import {
  formatOrder,
  type ListOrder,
  type ListOrders,
  type ListPart,
  type ListPosition,
  type ListSpan,
  orderTexts,
  parseOrder,
} from '../domain/list-order.ts'
import { type TSchema, Type } from '../kit/json-schema.ts'
import { closedObject } from '../resources/schema.ts'
import { type Problem, problem } from './problem.ts'

/** Query parameters of every list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items.' }),
  after: Type.Optional(Type.String({ description: 'The member `next` of the previous page.' })),
}

/** Returns the schema of a page of a list. */
export const pageOf = <S extends TSchema>(item: S) =>
  closedObject({
    data: Type.Array(item),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Value of `after` for the next page; null on the last one.',
    }),
  })

/** Makes a cursor of a position in a list. */
export const toCursor = (position: string): string => Buffer.from(position).toString('base64url')

/** Returns the position of a cursor. */
export const fromCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()

/**
 * Returns a page of a list that is in memory, ascending by `positionOf`. An item that was removed since does not
 * disturb the following pages.
 */
export function toPage<T>(
  items: readonly T[],
  positionOf: (item: T) => string,
  { limit, after }: { readonly limit?: number; readonly after?: string },
): { readonly data: T[]; readonly next: string | null } {
  const start = after === undefined ? undefined : fromCursor(after)
  const sorted = items
    .map(item => [positionOf(item), item] as const)
    .filter(([position]) => start === undefined || position > start)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const data = sorted.slice(0, limit)
  const isLast = data.length === sorted.length
  return { data: data.map(([, item]) => item), next: isLast ? null : toCursor(data.at(-1)![0]) }
}

/** A page of a list, and the cursor of the next one. */
export interface ListPage<T> {
  readonly data: readonly T[]
  readonly next: string | null
}

/** Returns the schema of the query parameter that orders a list. */
export const sortQuery = (orders: ListOrders) => ({
  sort: Type.Optional(
    Type.Enum(orderTexts(orders), {
      description: `Order of the list: a name and asc or desc. Default: ${formatOrder(orders.byDefault)}.`,
    }),
  ),
})

/** The query parameters of a page of an ordered list. */
export interface ListPageQuery {
  readonly limit?: number | undefined
  readonly after?: string | undefined
  readonly sort?: string | undefined
}

/**
 * Returns a page of a list whose parts `read` returns; undefined if the list has no such order, or if `after` is not the
 * cursor of a page in this order.
 */
export async function readListPage<T, Name extends string>(
  orders: ListOrders<Name>,
  read: (span: ListSpan<Name>) => Promise<ListPart<T>>,
  { limit = 50, after, sort }: ListPageQuery,
): Promise<ListPage<T> | undefined> {
  const order = parseOrder(sort, orders)
  if (!order) return undefined
  const position = after === undefined ? undefined : readPosition(after, order)
  if (after !== undefined && !position) return undefined
  return toListPage(order, await read({ order, limit, after: position }))
}

/** Returns the page of a list that the reader of a page of the console sees: the first one for an unknown cursor. */
export async function readShownPage<T, Name extends string>(
  order: ListOrder<Name>,
  read: (span: ListSpan<Name>) => Promise<ListPart<T>>,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<ListPage<T>> {
  const found = after === undefined ? undefined : readPosition(after, order)
  return toListPage(order, await read({ order, limit, after: found }))
}

const toListPage = <T>(order: ListOrder, { rows, next }: ListPart<T>): ListPage<T> => ({
  data: rows,
  next: next ? toCursor(JSON.stringify([formatOrder(order), next.value, next.id])) : null,
})

/** Returns the position of a cursor; undefined if no page in this order has sent it. */
function readPosition(cursor: string, order: ListOrder): ListPosition | undefined {
  const [sort, value, id] = readArray(fromCursor(cursor))
  const isValue = typeof value === 'string' || typeof value === 'number'
  return sort === formatOrder(order) && isValue && typeof id === 'string' ? { value, id } : undefined
}

function readArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** The error of a cursor that no page has sent. */
export const invalidCursor = (): Problem =>
  problem('parameters_invalid', {
    detail: 'after must be the member next of the previous page.',
    fieldErrors: [{ field: 'after', message: 'Expected the member next of the previous page.' }],
  })
