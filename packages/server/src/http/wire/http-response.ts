import { type Fault, faults } from '../../domain/fault.ts'
import type { RenderedBody } from './rendered.ts'

/** Bytes of a file that are sent as they are stored. */
export interface FileSlice {
  readonly path: string
  readonly start: number
  readonly length: number
}

/** An HTTP answer before it is written. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | FileSlice | undefined
}

/** An answer, and what the access log records about its request. */
export interface HandledRequest {
  readonly response: HttpResponse
  /** The version that answers; sent as `API-Version`. */
  readonly version?: string
  /** Deprecation headers. */
  readonly lifecycleHeaders?: Readonly<Record<string, string>> | undefined
  /** Rate limit headers. */
  readonly limits?: Readonly<Record<string, string>>
  /** The key that called, without its secret. */
  readonly key?: { readonly id: string; readonly partnerId: string }
  readonly fault?: string
  /** Called when the answer has been sent or the connection is gone. */
  readonly onClosed?: () => void
}

/** A page or asset; its representation depends on the codings that the client accepts and on what it has cached. */
export interface WebDocument {
  readonly headers: Readonly<Record<string, string>>
  readonly rendered: RenderedBody
}

/** `Vary` of API answers: the request headers that an answer depends on. */
export const variesBy = 'Accept-Encoding, X-API-Key, Authorization'

/** Formats a fault as application/problem+json (RFC 9457, R-13). */
export function toProblem(
  what: Fault,
  request: { readonly id: string; readonly path: string; readonly publicUrl: string },
): HttpResponse & { readonly body: Buffer } {
  const { status, title, text } = faults[what.fault]
  const body = {
    type: `${request.publicUrl}/docs/errors#${what.fault}`,
    title,
    status,
    detail: what.detail ?? text,
    // empty texts are omitted here, too.
    instance: request.path || undefined,
    message: text,
    request_id: request.id,
    'violated-policies': what.violatedPolicies,
    field_errors: what.fieldErrors?.map(error => ({
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
      ...what.headers,
    },
    body: Buffer.from(JSON.stringify(body)),
  }
}
