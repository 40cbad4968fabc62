import { Option } from 'commander'
import { formatOrder, type ListOrders, orderTexts } from '../domain/list-order.ts'

/** The option `--sort` of lists, before it is read by `parseOrder`. */
export interface SortFlag {
  readonly sort: string
}

/** Returns the option `--sort` of a list. */
export const sortOption = (orders: ListOrders): Option =>
  new Option('--sort <order>', 'order of the list').choices(orderTexts(orders)).default(formatOrder(orders.byDefault))
