import { autocompleteOperation, type Operation, operationNames, searchOperations } from '../../../domain/operation.ts'
import type { Html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { table } from '../../../web/parts/table.ts'
import type { ManagementContext } from '../../context.ts'

/** Returns what each operation charges, and the limits that it counts for. */
export function metersCard({ meters }: ManagementContext): Html {
  const texts = { call: 'a call', entity: 'an entity returned', session: 'a session', none: 'no units' } as const
  const charge = (operation: Operation) => {
    const { meter, weight } = meters[operation]
    return meter === 'none' || weight === 0 ? 'no units' : `${formatCount(weight, 'unit')} for ${texts[meter]}`
  }
  return card(
    'Charges',
    table<Operation>({
      caption: 'Charges of the operations',
      columns: [
        { label: 'Operation', kind: 'name', cell: operation => operation },
        { label: 'Charge', cell: charge },
        { label: 'Limits', cell: limitsOf },
      ],
      rows: operationNames,
    }),
  )
}

/** Returns the limits that the calls of an operation count for. */
function limitsOf(operation: Operation): string {
  if (searchOperations.includes(operation)) return 'search'
  if (operation === autocompleteOperation) return 'autocomplete'
  return operation.includes('Feed') ? 'feeds' : 'package'
}
