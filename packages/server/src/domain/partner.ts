/** An organisation that holds keys. Every line of the ledger names one. */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly email?: string
  /** Id of the partner in the operator's own systems. */
  readonly externalRef?: string
  /** Milliseconds since 1970. */
  readonly createdMs: number
  /** Counts the changes of the partner, from 1. */
  readonly revision: number
}

/** Changes of a partner; an absent member leaves the value, null removes it. */
export interface PartnerChange {
  readonly name?: string
  readonly email?: string | null
  readonly externalRef?: string | null
}
