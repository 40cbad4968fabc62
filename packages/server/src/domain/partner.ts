import { dayMs, startOfUtcDay } from '../kit/time.ts'
import type { Agreement } from './agreement.ts'
import type { PackageName } from './package.ts'
import type { Scope } from './scope.ts'

/** Returns the UTC day from which lists of partners count units, in milliseconds since 1970: 29 days before today. */
export const unitsFromMs = (nowMs: number): number => startOfUtcDay(nowMs - 29 * dayMs)

/** A closed partner has only revoked keys and gets no new ones. */
export const partnerStates = ['open', 'closed'] as const
export type PartnerState = (typeof partnerStates)[number]

/** The terms for the keys that a partner makes itself, and its state. */
export interface PartnerTerms {
  /** Package of these keys; missing: the partner makes no live keys itself. */
  readonly packageName?: PackageName
  readonly agreement: Agreement
  readonly scope: Scope
  /** Maximum number of live keys that are not revoked. */
  readonly liveKeysMax: number
  /** Time zone of the partner's days and months; missing: UTC. */
  readonly zone?: string
  readonly state: PartnerState
}

/** The terms of a new partner. */
export const newPartnerTerms: PartnerTerms = { agreement: {}, scope: {}, liveKeysMax: 1, state: 'open' }

/** An organisation that holds keys. Every row of the ledger belongs to a partner. */
export interface Partner extends PartnerTerms {
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
  readonly packageName?: PackageName | null
  readonly agreement?: Agreement
  readonly scope?: Scope
  readonly liveKeysMax?: number
  readonly zone?: string | null
  readonly state?: PartnerState
}

/** Returns a partner with a change applied. */
export const applyPartnerChange = (partner: Partner, change: PartnerChange): Partner => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const all = { ...partner, ...Object.fromEntries(given) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as unknown as Partner
}

/** A note of the operator about a partner, which the partner never sees. */
export interface PartnerNote {
  readonly id: string
  readonly partnerId: string
  readonly text: string
  /** Id of the actor who wrote it. */
  readonly by: string
  /** In milliseconds since 1970. */
  readonly atMs: number
}
