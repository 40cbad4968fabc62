import { units } from '../../../domain/limit-words.ts'
import type { Operation, OperationMeter } from '../../../domain/operation.ts'
import { formatCount } from '../../../kit/format-number.ts'
import type { OperationTerms } from '../../../web/reference/operations.ts'
import { type Bucket, routes } from '../../partner/routes.ts'

/** The charge of each operation in this installation. */
export type Meters = Readonly<Partial<Record<Operation, OperationMeter>>>

const limitTexts: Readonly<Record<Bucket, string>> = {
  package: 'Counts toward the rate of the key, and its units toward the daily quota.',
  search: 'Counts toward the search limits of the key, which the four search endpoints share.',
  autocomplete:
    'Has a rate of its own: that of the package, with a burst of two seconds. Units count toward the daily quota.',
  feeds: 'Has limits of its own: concurrent downloads, and snapshots per day.',
}

const costUnits = { entity: 'per place', session: 'per session' } as const

/** Terms of the requests of a key about itself. */
const accountTerms: OperationTerms = {
  cost: 'free',
  limits: 'Has a limit of its own: 1 request per second, 10 at once. It answers when every other limit is used up.',
}

/** Returns the charge and the limits of an operation in this installation. */
export function describeTerms(operation: string, meters: Meters): OperationTerms {
  const route = routes.find(one => one.operation === operation)
  if (!route) return accountTerms
  const { meter, weight } = meters[route.operation] ?? { meter: route.meter, weight: 1 }
  const amount = formatCount(weight, ...units)
  const cost =
    meter === 'none' || weight === 0
      ? 'free'
      : meter in costUnits
        ? `${amount} ${route.method === 'POST' ? 'per record' : costUnits[meter as keyof typeof costUnits]}`
        : amount
  return { permission: route.permission, cost, limits: limitTexts[route.bucket] }
}
