import { type Fault, faults } from '../../domain/fault.ts'
import { maskSecrets } from '../../kit/mask-secrets.ts'
import { createFieldBlock, type FieldBlock } from './field-block.ts'
import type { RenderedBody } from './rendered.ts'

/** A byte range of a file, sent as stored. */
export interface FileSlice {
  readonly path: string
  readonly start: number
  readonly length: number
}

/** Bytes that are read while they are sent. */
export interface StreamedBody {
  readonly length: number
  /** Returns undefined if the bytes are gone. */
  open(): Promise<StreamedBytes | undefined>
}

export interface StreamedBytes extends AsyncIterable<Uint8Array> {
  /** Ends reading before the last byte. */
  destroy(): void
}

/** A body that is not in memory. */
export type StoredBody = FileSlice | StreamedBody

/** An HTTP response before it is sent. */
export interface HttpResponse {
  readonly status: number
  /** Fields in addition to `headers` that many responses have. */
  readonly common?: FieldBlock
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | StoredBody | undefined
}

/** A response, and details of its request for response headers, the access log and metrics. */
export interface HandledRequest {
  readonly response: HttpResponse
  /** Version of the response; sent as `API-Version`. */
  readonly version?: string
  /** Deprecation headers. */
  readonly lifecycleHeaders?: Readonly<Record<string, string>> | undefined
  /** Rate limit headers. */
  readonly limits?: Readonly<Record<string, string>>
  /** The key of the request, without its secret. */
  readonly key?: { readonly id: string; readonly partnerId: string; readonly test: boolean }
  readonly fault?: string
  /** Called when the response has been sent or the connection has closed. */
  readonly onClosed?: () => void
}

/** Result of the work for a request, before it becomes a response. */
export type Outcome = HandledRequest | HttpResponse | Fault

/** A page or asset that `represent` turns into a response. */
export interface WebDocument {
  readonly headers: Readonly<Record<string, string>>
  readonly rendered: RenderedBody
}

/** `Vary` of API responses: the request headers that a response depends on. */
export const variesBy = 'Accept-Encoding, X-API-Key, Authorization, API-Version'

/** The fields of every response. */
export const everyField = createFieldBlock({ 'X-Content-Type-Options': 'nosniff' })

/** Formats a fault as application/problem+json (RFC 9457, R-13). */
export function toProblem(
  fault: Fault,
  request: { readonly id: string; readonly path: string; readonly publicUrl: string },
): HttpResponse & { readonly body: Buffer } {
  const { status, title, text } = faults[fault.fault]
  const body = {
    type: `${request.publicUrl}/docs/errors#${fault.fault}`,
    title,
    status,
    detail: fault.detail ?? text,
    // empty texts are omitted here, too.
    instance: request.path || undefined,
    message: text,
    request_id: request.id,
    'violated-policies': fault.violatedPolicies,
    field_errors: fault.fieldErrors?.map(error => ({
      field: error.field,
      message: error.message,
      rejected_value: error.rejectedValue || undefined,
    })),
  }
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      Vary: variesBy,
      ...fault.headers,
    },
    // A key that was sent in the wrong place is part of the message about it.
    body: Buffer.from(maskSecrets(JSON.stringify(body))),
  }
}
