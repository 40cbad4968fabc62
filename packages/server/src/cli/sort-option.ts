import { InvalidArgumentError, Option } from 'commander'
import { describeOrders, formatOrder, type ListOrders, parseOrder } from '../domain/list-order.ts'

/** The option `--sort` of lists, before it is read by `parseOrder`. */
export interface SortFlag {
  readonly sort: string
}

/** Returns the option `--sort` of a list. */
export function sortOption(orders: ListOrders): Option {
  const read = (text: string): string => {
    if (parseOrder(text, orders)) return text
    throw new InvalidArgumentError(`Enter ${describeOrders(orders)}.`)
  }
  return new Option('--sort <order>', `order of the list: ${describeOrders(orders)}`)
    .argParser(read)
    .default(formatOrder(orders.byDefault))
}
