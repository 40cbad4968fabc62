import { formatOrder, isSameOrder, type ListOrder, type ListOrders } from '../../domain/list-order.ts'
import { attribute, type Html, html } from '../html.ts'
import { icon } from '../icon.ts'
import { toQuery } from './pager.ts'

/** The order of a table, and the address at which the reader chooses another one. */
export interface TableOrder {
  readonly orders: ListOrders
  readonly current: ListOrder
  readonly path: string
  /** Filters of the list, which a new order keeps. It starts with the first page. */
  readonly filters: Readonly<Record<string, string | undefined>>
  /** Id of the part of the page that has the table; links lead to it. */
  readonly part?: string
}

/** Returns the value of the parameter `sort`; undefined for the default order. */
export const sortParameter = ({ orders, current }: Pick<TableOrder, 'orders' | 'current'>): string | undefined =>
  isSameOrder(current, orders.byDefault) ? undefined : formatOrder(current)

interface SortHead {
  readonly kind: string | undefined
  /** Name of the order by this column. */
  readonly by: string
  readonly order: TableOrder
}

/**
 * Returns the head of a column by which the reader can sort. Its link sorts by the column, or reverses the order if the
 * table is sorted by it.
 */
export function sortHead(label: string, { kind, by, order }: SortHead): Html {
  const { orders, current, path, filters, part } = order
  const isCurrent = current.by === by
  const isDescending = isCurrent ? !current.isDescending : orders.first[by] === 'desc'
  const sort = sortParameter({ orders, current: { by, isDescending } })
  const direction = isCurrent && (current.isDescending ? 'descending' : 'ascending')
  const arrow = icon(isCurrent ? (current.isDescending ? 'arrow-down' : 'arrow-up') : 'arrow-down-up')
  const target = `${path}${toQuery({ ...filters, sort })}${part === undefined ? '' : `#${part}`}`
  const link = html`<a class="sort" href="${target}">${label}${arrow}</a>`
  return html`<th scope="col"${attribute('class', kind)}${attribute('aria-sort', direction)}>${link}</th>`
}
