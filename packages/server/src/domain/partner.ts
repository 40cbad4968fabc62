/** Who holds keys; a ledger line carries it. */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly externalRef?: string
  readonly createdMs: number
}
