import { type Fault, fault } from '../../domain/fault.ts'
import type { Logger } from '../../kit/log.ts'

/** What a bug is answered with: its cause goes into the log, and nothing of it to the client. */
export function unexpected(error: unknown, requestId: string, log: Logger): Fault {
  log.error({ err: error, id: requestId }, 'unexpected')
  return fault('internal', { detail: `The operator finds the cause in the log under ${requestId}.` })
}
