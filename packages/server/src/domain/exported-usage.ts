/**
 * The billable units of one key and operation in one slot, for a billing system outside of Periplus. It never changes;
 * calls that are counted later make another part.
 */
export interface ExportedUsage {
  /** Start of the slot, in milliseconds since 1970. */
  readonly fromMs: number
  readonly partnerId: string
  readonly keyId: string
  readonly operation: string
  /** Number of the part, from 1. */
  readonly part: number
  /** Calls, excluding refused and failed ones. */
  readonly calls: number
  readonly units: number
}

/** The usage that is exported to a billing system: made once, and sent until the billing system has accepted it. */
export interface UsageExports {
  /** Makes the parts that are missing for the slots that start in a span. */
  collect(span: { readonly fromMs: number; readonly toMs: number }): Promise<void>
  /** Returns parts that are not accepted yet, oldest first. */
  unsent(limit: number): Promise<ExportedUsage[]>
  markSent(parts: readonly ExportedUsage[]): Promise<void>
  /** Marks the parts of slots from `fromMs` as not accepted, so that they are sent again; returns their number. */
  resend(fromMs: number): Promise<number>
}

/** The reason why a billing system did not accept usage; `code` is that of the system, or `timeout`. */
export type BillingFailure =
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly code: string }
  /** The file has no token. */
  | { readonly kind: 'token'; readonly file: string }

/** A billing system that counts units by the id of their events, so that a repeated event counts once. */
export interface BillingSystem {
  readonly url: string
  /** Maximum number of parts in one request. */
  readonly batch: number
  /** Sends parts in one request; undefined if the billing system has accepted all. */
  send(parts: readonly ExportedUsage[]): Promise<BillingFailure | undefined>
}

/** Returns a sentence for the operator. */
export function billingFailureText(url: string, failure: BillingFailure): string {
  switch (failure.kind) {
    case 'refused':
      return `The billing system at ${url} refused the usage with status ${failure.status}. Check usage.export.url and usage.export.tokenFile.`
    case 'unreachable':
      return `The billing system at ${url} did not answer (${failure.code}). Check usage.export.url and the network.`
    case 'token':
      return `The file ${failure.file} (usage.export.tokenFile) must contain one token without spaces.`
  }
}
