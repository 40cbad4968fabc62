/** The order of a list by one of its columns; `name,desc` in URLs and options. */
export interface ListOrder<Name extends string = string> {
  readonly by: Name
  readonly isDescending: boolean
}

/** The orders in which a list can be read; the first one is the default. */
export interface ListOrders<Name extends string = string> {
  /** For each order the direction in which a reader first wants it. */
  readonly first: Readonly<Record<Name, 'asc' | 'desc'>>
  readonly byDefault: ListOrder<Name>
}

/** Returns an order as text. */
export const formatOrder = ({ by, isDescending }: ListOrder): string => `${by},${isDescending ? 'desc' : 'asc'}`

/** Returns the texts of all orders, the default first. */
export function orderTexts({ first, byDefault }: ListOrders): string[] {
  const texts = Object.keys(first).flatMap(by => [`${by},asc`, `${by},desc`])
  return [...new Set([formatOrder(byDefault), ...texts])]
}

/** Returns the part of a sentence that names all orders. */
export const describeOrders = ({ first }: ListOrders): string =>
  `one of ${Object.keys(first).join(', ')}, followed by ,asc or ,desc`

/** Returns the order of a text, or the default without a text; undefined if the list has no such order. */
export function parseOrder<Name extends string>(
  text: string | undefined,
  orders: ListOrders<Name>,
): ListOrder<Name> | undefined {
  if (text === undefined) return orders.byDefault
  if (!orderTexts(orders).includes(text)) return undefined
  const [by, direction] = text.split(',')
  return { by: by as Name, isDescending: direction === 'desc' }
}

/** Returns true if two orders are the same. */
export const isSameOrder = (a: ListOrder, b: ListOrder): boolean => formatOrder(a) === formatOrder(b)

/** The place of a row in a list: what the list is sorted by, and the id, which divides rows that are equal in it. */
export interface ListPosition {
  readonly value: string | number
  readonly id: string
}

/** Selects a part of a list. Default: the whole list, in its default order. */
export interface ListSpan<Name extends string = string> {
  readonly order?: ListOrder<Name> | undefined
  readonly limit?: number | undefined
  /** The `next` of the previous part, which had the same order. */
  readonly after?: ListPosition | undefined
}

/** A part of a list. */
export interface ListPart<T> {
  readonly rows: readonly T[]
  /** The place of the last row; undefined if no row follows. */
  readonly next?: ListPosition
}

/** The orders of a log, whose rows have ascending numbers. */
export const timeOrders = {
  first: { time: 'desc' },
  byDefault: { by: 'time', isDescending: true },
} as const satisfies ListOrders
export type TimeOrder = ListOrder<'time'>

/** An order of a list that is in memory. */
export interface MemoryOrder<T> {
  /** Direction in which a reader first wants it. */
  readonly first: 'asc' | 'desc'
  /** Returns what the order compares. Rows without a value come first in ascending order. */
  readonly value: (row: T) => string | number | undefined
}

/** The orders of a list that is in memory, by name. */
export type MemoryOrders<T> = Readonly<Record<string, MemoryOrder<T>>>

/** Returns the orders of a page that has lists in memory. Their names differ: a reader sorts one list at a time. */
export const pageOrders = (byDefault: ListOrder, ...lists: readonly MemoryOrders<never>[]): ListOrders => ({
  first: Object.fromEntries(lists.flatMap(list => Object.entries(list).map(([name, { first }]) => [name, first]))),
  byDefault,
})

/** Sorts a list in memory. Returns it as it is if the order is that of another list. */
export function sortRows<T>(
  rows: readonly T[],
  { by, isDescending }: ListOrder,
  orders: MemoryOrders<T>,
): readonly T[] {
  const order = orders[by]
  if (!order) return rows
  const direction = isDescending ? -1 : 1
  return rows
    .map(row => ({ row, value: comparable(order.value(row)) }))
    .sort((a, b) => direction * compare(a.value, b.value))
    .map(({ row }) => row)
}

const comparable = (value: string | number | undefined): string | number =>
  typeof value === 'string' ? value.toLowerCase() : (value ?? Number.NEGATIVE_INFINITY)

/** Compares values of one order; numbers come before texts, which are missing values among texts. */
function compare(a: string | number, b: string | number): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
