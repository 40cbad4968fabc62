import type { FieldBlock } from './field-block.ts'
import type { StoredBody } from './http-response.ts'

/** A response as it is written to a connection. */
export interface WrittenResponse {
  readonly status: number
  /** Sent as `X-Request-Id`. */
  readonly requestId: string
  /** Header fields that many responses share. */
  readonly common: FieldBlock
  /** Names and values of the other header fields, alternating. */
  readonly fields: readonly string[]
  readonly body: Buffer | StoredBody | undefined
  /** True if the connection ends after this response. */
  readonly closes: boolean
  /** Id of the key for which unsent bytes are counted. */
  readonly keyId: string | undefined
  /** Called when the response has been sent or the connection has closed. */
  readonly onClosed: (() => void) | undefined
}

/** Writes the response to one request, on the connection that the request came from. */
export interface ResponseWriter {
  write(response: WrittenResponse): void
}
