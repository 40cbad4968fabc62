import type { Logger } from '../../kit/log.ts'
import type { Connections } from './connections.ts'
import type { CorsSettings } from './cors.ts'
import type { GetReader } from './get-reader.ts'
import type { Outbox } from './outbox.ts'
import type { Traffic } from './traffic.ts'
import type { UnsentResponses } from './unsent-responses.ts'

/** The parts that send and record every response, regardless of its route. */
export interface Transport {
  readonly outbox: Outbox
  readonly traffic: Traffic
  readonly connections: Connections
  readonly unsent: UnsentResponses
  readonly reader: GetReader
  readonly log: Logger
  /** Writes one line of JSON, including its line ending. */
  readonly accessLog: (line: string) => void
  /** True once the service shuts down: every response then closes its connection. */
  readonly isDraining: () => boolean
  readonly settings: TransportSettings
}

export interface TransportSettings extends CorsSettings {
  /** Absolute, without a trailing slash. Known once the server listens. */
  readonly publicUrl: string
}
