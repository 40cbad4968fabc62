import { type Fault, fault } from '../../domain/fault.ts'
import { StoreError } from '../../domain/store-errors.ts'
import type { Logger } from '../../kit/log.ts'

/** Converts an exception to a 500 fault. Logs the cause, which is never sent to the client. */
export function toInternalFault(error: unknown, requestId: string, log: Logger): Fault {
  log.error({ err: error, id: requestId }, error instanceof StoreError ? error.message : 'unexpected')
  return fault('internal', { detail: `The operator finds the cause in the log under ${requestId}.` })
}
