import type { ListPosition, ListSpan } from '../domain/key-stores.ts'
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

/** Returns a page of a list whose parts `list` selects; undefined if `after` is not the cursor of such a page. */
export async function selectListPage<T extends ListPosition>(
  list: (span: ListSpan) => Promise<readonly T[]>,
  { limit = 50, after }: { readonly limit?: number; readonly after?: string },
): Promise<ListPage<T> | undefined> {
  const position = after === undefined ? undefined : readPosition(after)
  if (after !== undefined && !position) return undefined
  // One more shows that there is a next page.
  const items = await list({ limit: limit + 1, after: position })
  const data = items.slice(0, limit)
  const last = data.at(-1)
  return { data, next: last && items.length > limit ? toCursor(`${last.createdMs} ${last.id}`) : null }
}

function readPosition(cursor: string): ListPosition | undefined {
  const [, createdMs, id] = /^(\d{1,15}) (.+)$/s.exec(fromCursor(cursor)) ?? []
  return id === undefined ? undefined : { createdMs: Number(createdMs), id }
}

/** The error of a cursor that no page has sent. */
export const invalidCursor = (): Problem =>
  problem('parameters_invalid', {
    detail: 'after must be the member next of the previous page.',
    fieldErrors: [{ field: 'after', message: 'Expected the member next of the previous page.' }],
  })
