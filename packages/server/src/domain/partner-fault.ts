import type { FeedName } from './feed.ts'
import type { UpgradeKind, UpgradeState } from './upgrade.ts'

/** Members of the faults about partners, upgrade requests and pins, by code. */
export interface PartnerFaultFacts {
  /** A closed partner gets no keys. */
  partner_closed: { readonly partner: string }
  /** The number of live keys is negative, above `max`, or not whole. */
  live_keys_invalid: { readonly value: number; readonly max: number }
  /** The pin was never moved, or more than 72 hours ago. */
  pin_undo_unavailable: { readonly key: string; readonly feed: FeedName; readonly reason: 'never_moved' | 'too_late' }
  upgrade_unknown: { readonly upgrade: string }
  /** A request of the kind is open for the key or partner `subject`. */
  upgrade_open: { readonly kind: UpgradeKind; readonly subject: string }
  /** The request has ended. */
  upgrade_decided: { readonly upgrade: string; readonly state: UpgradeState }
  /** A request of the kind requires the member that `fields` names. */
  upgrade_incomplete: { readonly kind: UpgradeKind }
  /** The key has what was requested, or it is a test key, whose terms are fixed. */
  upgrade_pointless: { readonly key: string; readonly kind: UpgradeKind; readonly test: boolean }
}
