import { type Fault, fault } from '../../domain/fault.ts'
import { StoreError, StoreFailure } from '../../domain/store-errors.ts'
import type { Logger } from '../../kit/log.ts'

/** Retry-After while the server of the stores is not available, in seconds. */
const retryS = 1

/**
 * Converts an exception to a 500 fault, or to 503 if the server of the stores is not available. Logs the cause,
 * which is never sent to the client.
 */
export function toInternalFault(error: unknown, requestId: string, log: Logger): Fault {
  log.error({ err: error, id: requestId }, error instanceof StoreError ? error.message : 'unexpected')
  return error instanceof StoreFailure && error.kind === 'unavailable'
    ? fault('store_unavailable', {
        detail: 'The call was not charged. Send it again after the time in Retry-After.',
        headers: { 'Retry-After': String(retryS) },
      })
    : fault('internal', { detail: `The operator finds the cause in the log under ${requestId}.` })
}
