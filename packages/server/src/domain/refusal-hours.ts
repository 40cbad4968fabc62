import type { Visibility } from './visibility.ts'

/** Filters of the refusals before metering. Hours start within the half-open period. */
export interface RefusalQuery {
  readonly visibility: Visibility
  readonly keyId?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly limit: number
  /** The `next` of the previous page. A text that is not a cursor throws InvalidCursor. */
  readonly after?: string | undefined
}

/** A page of refusals. */
export interface RefusalPage {
  readonly rows: readonly RefusalHour[]
  /** Cursor of the next page; undefined on the last one. */
  readonly next?: string
}

/**
 * Calls of a known key that were refused before metering (disabled, revoked, expired, retired or unknown version) in
 * one hour.
 */
export interface RefusalHour {
  readonly partnerId: string
  readonly keyId: string
  /** Start of the hour, in milliseconds since 1970. */
  readonly hourMs: number
  /** A fault code (domain/fault.ts). */
  readonly code: string
  /** Version of the request; `''` if it could not be decided. */
  readonly version: string
  readonly calls: number
  /** Time of the last one. */
  readonly lastMs: number
}
