import { type Fault, fault } from '../../domain/fault.ts'
import type { Service } from '../partner/service.ts'

/** What a bug is answered with: its cause goes into the log, and nothing of it to the client. */
export function unexpected(error: unknown, requestId: string, service: Service): Fault {
  service.log.error({ err: error, id: requestId }, 'unexpected')
  return fault('internal', { detail: `The operator finds the cause in the log under ${requestId}.` })
}
