import type { Key } from './key.ts'
import type { LimitStatus } from './limit-status.ts'

/** State of the serving process that no store has. Other threads read it by messages. */
export interface LiveState {
  status(): Promise<ServiceStatus>
  /** Returns the state of a key's limits. */
  limitsOf(key: Key): Promise<LimitStatus>
  /** Ends the penalty of a key's subject. */
  forgive(key: Key): Promise<void>
}

/** The state that `/readyz` shows. */
export interface ServiceStatus {
  readonly ready: boolean
  /** Reasons why the service is not ready. */
  readonly reasons: readonly string[]
  /** Messages that do not make the service unready. */
  readonly notes: readonly string[]
}
