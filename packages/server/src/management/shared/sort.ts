import { describeOrders, type ListOrder, type ListOrders, parseOrder } from '../../domain/list-order.ts'
import { type Html, html } from '../../web/html.ts'
import { type Field, filterForm, queryForm } from '../../web/parts/form.ts'
import { buttonLink, buttonRow } from '../../web/parts/link.ts'
import { notice } from '../../web/parts/notice.ts'
import { sortParameter, type TableOrder } from '../../web/parts/sort-head.ts'
import { linkTo } from '../../web/site.ts'
import type { PageRequest } from '../pages/page-route.ts'
import type { PageView } from '../pages/page-view.ts'

/** Reads the parameter `sort` of a list; returns the page that refuses an order that the list does not have. */
export function readSort<Name extends string>(
  orders: ListOrders<Name>,
  { query, path, site }: Pick<PageRequest, 'query' | 'path' | 'site'>,
): ListOrder<Name> | PageView {
  const order = parseOrder(query.sort, orders)
  if (order) return order
  return {
    status: 400,
    title: 'This list has no such order',
    content: [
      notice('bad', html`<p>sort must be ${describeOrders(orders)}.</p>`, 'alert'),
      buttonRow(buttonLink(linkTo(site, path), 'Show the list')),
    ],
  }
}

/** Number of fields that do not need to be folded. */
const fewFields = 3

/** Returns the form with the filters of a list, which keeps its order. Many filters are folded unless one is set. */
export function listForm(order: TableOrder, button: string, fields: readonly Field[]): Html {
  const all = [...sortFields(order), ...fields]
  if (fields.length <= fewFields) return queryForm(order.path, button, all)
  const isSet = Object.values(order.filters).some(value => value !== undefined && value !== '')
  return filterForm(order.path, button, all, isSet)
}

/** Returns the hidden field with which a form keeps the order of a list. */
export function sortFields(order: TableOrder): readonly Field[] {
  const value = sortParameter(order)
  return value === undefined ? [] : [{ name: 'sort', label: 'Order', type: 'hidden', value }]
}

/** Returns the option that gives a command the order of a list, after a space; empty for the default. */
export function sortFlag(order: Pick<TableOrder, 'orders' | 'current'>): string {
  const value = sortParameter(order)
  return value === undefined ? '' : ` --sort ${value}`
}
