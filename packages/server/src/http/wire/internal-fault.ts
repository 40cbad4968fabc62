import { type Fault, fault } from '../../domain/fault.ts'
import type { Logger } from '../../kit/log.ts'

/** Turns an exception into 500. The cause goes to the log and never to the client. */
export function toInternalFault(error: unknown, requestId: string, log: Logger): Fault {
  log.error({ err: error, id: requestId }, 'unexpected')
  return fault('internal', { detail: `The operator finds the cause in the log under ${requestId}.` })
}
