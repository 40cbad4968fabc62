/** Members of the faults about partners, upgrade requests and pins, by code. */
export interface PartnerFaultFacts {
  /** A closed partner gets no keys. */
  partner_closed: { readonly partner: string }
  /** The number of live keys is negative, above `max`, or not whole. */
  live_keys_invalid: { readonly value: number; readonly max: number }
}
