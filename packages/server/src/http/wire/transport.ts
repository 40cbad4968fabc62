import type { Logger } from '../../kit/log.ts'
import type { CorsSettings } from './cors.ts'
import type { Outbox } from './outbox.ts'
import type { Traffic } from './traffic.ts'

/** The parts that send and record every answer, whichever route it comes from. */
export interface Transport {
  readonly outbox: Outbox
  readonly traffic: Traffic
  readonly log: Logger
  /** Takes one line of JSON per request, including its line end. */
  readonly accessLog: (line: string) => void
  /** True once the server accepts no new connections: each answer then closes its own. */
  readonly isDraining: () => boolean
  readonly settings: TransportSettings
}

export interface TransportSettings extends CorsSettings {
  /** Absolute, without a trailing slash. Known once the server listens. */
  readonly publicUrl: string
}
