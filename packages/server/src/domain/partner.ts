/** An organisation that holds keys. Every row of the ledger belongs to a partner. */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly email?: string
  /** Id of the partner in the operator's systems. */
  readonly externalRef?: string
  /** In milliseconds since 1970. */
  readonly createdMs: number
  /** Counts the changes of the partner, from 1. */
  readonly revision: number
}

/** Changes of a partner; a missing member leaves the value unchanged, null removes it. */
export interface PartnerChange {
  readonly name?: string
  readonly email?: string | null
  readonly externalRef?: string | null
}
