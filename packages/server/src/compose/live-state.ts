import type { LiveState } from '../domain/live-state.ts'
import type { Readiness } from '../http/admin/health.ts'

/** Creates the live state of the serving process. */
export const createLiveState = ({ readiness }: { readonly readiness: Readiness }): LiveState => ({
  status: async () => {
    const reasons = readiness.reasons()
    return { ready: reasons.length === 0, reasons, notes: readiness.notes() }
  },
})
