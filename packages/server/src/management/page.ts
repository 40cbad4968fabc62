import Type, { type TSchema } from 'typebox'
import { closedObject } from '../resources/schema.ts'

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
 * Returns a page of a list that is in memory, ascending by `positionOf`. An item that was removed since does not disturb
 * the following pages.
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
