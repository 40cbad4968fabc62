import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'

/** Returns a fault if the reason of a change is blank. */
export const blankReason = (reason: string): AdminFault | undefined =>
  reason.trim() === '' ? adminFault('reason_required', ['reason'], {}) : undefined
