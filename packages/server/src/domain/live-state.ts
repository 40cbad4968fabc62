/** State of the serving process that no store has. Other threads read it by messages. */
export interface LiveState {
  status(): Promise<ServiceStatus>
}

/** The state that `/readyz` shows. */
export interface ServiceStatus {
  readonly ready: boolean
  /** Reasons why the service is not ready. */
  readonly reasons: readonly string[]
  /** Messages that do not make the service unready. */
  readonly notes: readonly string[]
}
