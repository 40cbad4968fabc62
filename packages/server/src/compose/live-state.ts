import type { LiveLimits } from '../domain/limit-status.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { Readiness } from '../http/admin/health.ts'

interface LiveParts {
  readonly readiness: Readiness
  readonly limits: LiveLimits
}

/** Creates the live state of the serving process. */
export const createLiveState = ({ readiness, limits }: LiveParts): LiveState => ({
  status: async () => {
    const reasons = readiness.reasons()
    return { ready: reasons.length === 0, reasons, notes: readiness.notes() }
  },
  limitsOf: async key => limits.statusOf(key),
  forgive: async key => limits.forgive(key),
})
