import type { Id } from '../../domain/id.ts'
import type { ListPosition, PageEnd } from '../../domain/list-position.ts'
import { chain, type Eventual } from '../../kit/chain.ts'

/** A part of a list by numbers of its results. */
export interface ListPart {
  readonly offset: number
  readonly limit: number
}

interface Hits<H> {
  readonly hits: readonly H[]
  readonly total: number
}

/** Number of results on each side of a position that are searched for its result after the list has changed. */
const reach = 100

/**
 * Reads a page that begins behind a position. Also reads the result of the position: if it has moved and is
 * still nearby, the page begins behind its new place, so that no result of a list that has grown or shrunk is repeated
 * or missed.
 */
export function continueList<H extends { readonly id: Id }, R extends Hits<H>>(
  position: ListPosition | undefined,
  { offset, limit }: ListPart,
  read: (part: ListPart) => Eventual<R>,
): Eventual<R & PageEnd> {
  if (position === undefined) return chain(read({ offset, limit }), found => endPage(found, offset))
  const { after } = position
  const before = position.offset - 1
  return chain(read({ offset: before, limit: limit + 1 }), found => {
    if (found.hits[0]?.id === after) return cutPage(found, before, 1, limit)
    const from = Math.max(0, before - reach)
    return chain(read({ offset: from, limit: 2 * reach + limit }), around => {
      const at = around.hits.findIndex(({ id }) => id === after)
      return cutPage(around, from, at < 0 ? position.offset - from : at + 1, limit)
    })
  })
}

/** Returns a page of a longer part that begins at `offset` of its list. */
const cutPage = <H extends { readonly id: Id }, R extends Hits<H>>(
  part: R,
  offset: number,
  from: number,
  limit: number,
) => endPage({ ...part, hits: part.hits.slice(from, from + limit) }, offset + from)

function endPage<H extends { readonly id: Id }, R extends Hits<H>>(page: R, offset: number): R & PageEnd {
  const end = offset + page.hits.length
  const last = page.hits.at(-1)
  return { ...page, offset, next: last && end < page.total ? { offset: end, after: last.id } : undefined }
}
