import type { ChangeRecord } from './change-record.ts'
import type { KeyChange } from './key.ts'
import type { ListOrders, ListPart, ListSpan } from './list-order.ts'
import type { PackageName, Permission, Quota } from './package.ts'
import type { PartnerChange } from './partner.ts'
import type { Visibility } from './visibility.ts'

export const upgradeKinds = ['package', 'add_on', 'quota', 'live_key'] as const
export type UpgradeKind = (typeof upgradeKinds)[number]

/** The requested change. A live key is requested for a partner, optionally in a package. */
export type UpgradeAsk =
  | { readonly kind: 'package'; readonly packageName: PackageName }
  | { readonly kind: 'add_on'; readonly addOn: Permission }
  | { readonly kind: 'quota'; readonly quota: Quota }
  | { readonly kind: 'live_key'; readonly packageName?: PackageName }

export const upgradeStates = ['open', 'withdrawn', 'approved', 'declined'] as const
export type UpgradeState = (typeof upgradeStates)[number]

/** A request of a partner for better terms. At most one is open for a key (or partner) and kind. */
export interface UpgradeRequest {
  readonly id: string
  readonly partnerId: string
  /** Missing for a live key. */
  readonly keyId?: string
  readonly ask: UpgradeAsk
  /** Text of the partner. */
  readonly reason: string
  readonly state: UpgradeState
  /** Id of the actor who opened it. */
  readonly by: string
  /** In milliseconds since 1970. */
  readonly createdMs: number
  readonly decidedBy?: string
  readonly decidedMs?: number
  /** Text of the operator for the partner. */
  readonly answer?: string
  /** Counts the changes of the request, from 1. */
  readonly revision: number
}

/** The end of an open request. */
export interface UpgradeDecision {
  readonly state: Exclude<UpgradeState, 'open'>
  readonly by: string
  readonly atMs: number
  readonly answer?: string | undefined
}

/** The change that an approval makes: of a key, or of the partner for a live key. `revision` is the expected one. */
export type ApprovedChange = { readonly id: string; readonly revision: number; readonly record: ChangeRecord } & (
  | { readonly of: 'key'; readonly change: KeyChange }
  | { readonly of: 'partner'; readonly change: PartnerChange }
)

/** The orders of upgrade requests: by opening, partner, kind, state, and end. */
export const upgradeOrders = {
  first: { created: 'desc', partner: 'asc', kind: 'asc', state: 'asc', decided: 'desc' },
  byDefault: { by: 'created', isDescending: true },
} as const satisfies ListOrders
export type UpgradeOrder = keyof typeof upgradeOrders.first

/** Selects a part of the upgrade requests. */
export interface UpgradeSpan extends ListSpan<UpgradeOrder> {
  readonly states?: readonly UpgradeState[] | undefined
  readonly partnerId?: string | undefined
}

/** Upgrade requests. Changes compare and swap, as those of keys do, and write their records in their transaction. */
export interface UpgradeStore {
  /** Stores an open request; returns false if one is open for the same key or partner and kind. */
  open(request: UpgradeRequest, record: ChangeRecord): Promise<boolean>
  get(id: string, visibility: Visibility): Promise<UpgradeRequest | undefined>
  /** Returns the requests, the newest first. */
  list(visibility: Visibility, state?: UpgradeState): Promise<UpgradeRequest[]>
  /** Returns a part of the requests in an order. */
  part(visibility: Visibility, span: UpgradeSpan): Promise<ListPart<UpgradeRequest>>
  /** Ends an open request, with the change that an approval makes. */
  decide(
    id: string,
    expectedRevision: number,
    decision: UpgradeDecision,
    change: ApprovedChange | undefined,
    record: ChangeRecord,
  ): Promise<UpgradeRequest | undefined>
}
