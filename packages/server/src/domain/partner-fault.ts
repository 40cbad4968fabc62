import type { FeedName } from './feed.ts'
import type { Scope } from './scope.ts'
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
  /**
   * A partner cannot make a live key now: without a package, with `max` keys, because one that the operator had bounded
   * keeps its place, or because one was revoked within 24 hours.
   */
  live_key_unavailable: { readonly reason: 'no_package' | 'held' | 'bounded' | 'ended'; readonly max: number }
  /** A partner has `max` test keys, bounded ones that it revoked included, or has made as many within 24 hours. */
  test_key_unavailable: { readonly reason: 'held' | 'bounded' | 'made'; readonly max: number }
  /** A user of a partner names terms that only the operator sets; `fields` names them. */
  own_terms_fixed: object
  /** A user of a partner asks for a wider scope; without `value`, for one that does not restrict. */
  scope_wider: {
    readonly restriction: keyof Scope
    readonly value: string | undefined
    readonly bound: readonly string[]
  }
  /** The key of the API explorer was disabled or revoked. */
  explorer_disabled: { readonly key: string }
  /** The operator disabled the key, so its partner cannot enable it. */
  disabled_by_operator: { readonly key: string }
  /** The operator set the end of the key, so its partner cannot move it to a later time. */
  end_fixed: { readonly key: string; readonly expiresMs: number }
}
