import type { Config } from '../config/load.ts'
import type { Operation, OperationMeter } from '../domain/operation.ts'
import { routes } from '../http/partner/routes.ts'

/** Returns the meter of each operation: the configured one, or the meter of its route. */
export function metersOf(config: Config): Record<Operation, OperationMeter> {
  const configured = config.meters as Partial<Record<Operation, OperationMeter>>
  const rows = routes.map(
    ({ operation, meter }) => [operation, { meter, weight: 1, ...configured[operation] }] as const,
  )
  return Object.fromEntries(rows) as Record<Operation, OperationMeter>
}
