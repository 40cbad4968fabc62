import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Key, KeyChange } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { type OwnKeyReason, ownKeyReason, testKeysMax, widerPart } from '../../domain/own-key.ts'
import type { Partner } from '../../domain/partner.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Clock } from '../../kit/clock.ts'

/** Returns true for a user of a partner, whose keys have bounds; staff and tokens act for the operator. */
export const isPartnerUser = ({ kind, partnerId }: Actor): boolean => kind === 'user' && partnerId !== undefined

/** The terms of a key that a user of a partner makes. */
export type OwnTerms = Pick<Key, 'packageName' | 'addOns' | 'agreement' | 'scope'>

/** The terms that a user asks for; the package, the agreement and the widest scope are those of the partner. */
export type OwnTermsInput = { readonly [T in keyof OwnTerms]?: OwnTerms[T] | undefined } & {
  readonly test: boolean
  readonly notes?: string | undefined
}

/**
 * Returns the terms of a key that a user of a partner makes. A live key has the agreement of the partner; a test key
 * needs none, and without a package the permissions of the smallest one.
 */
export function ownTerms(partner: Partner, input: OwnTermsInput): OwnTerms | AdminFault {
  const { test, addOns = [], agreement = {}, scope = {} } = input
  const packageName = partner.packageName ?? (test ? 'discover' : undefined)
  if (packageName === undefined)
    return adminFault('live_key_unavailable', ['test'], { reason: 'no_package', max: partner.liveKeysMax })
  const terms = { ...emptyTerms, packageName }
  const asked = { packageName: input.packageName ?? packageName, addOns, agreement, notes: input.notes }
  const fixed = fixedFields(asked, terms)
  if (fixed.length > 0) return adminFault('own_terms_fixed', fixed, {})
  const narrowed: Scope = { ...partner.scope, ...scope }
  return (
    checkNarrower(narrowed, partner.scope) ?? { ...terms, agreement: test ? {} : partner.agreement, scope: narrowed }
  )
}

const emptyTerms = { addOns: [], agreement: {}, notes: undefined } as const

/** Names in the API of the terms that only the operator sets. */
const operatorTerms = { packageName: 'package', addOns: 'add_ons', agreement: 'agreement', notes: 'notes' } as const

type OperatorTerms = { readonly [T in keyof typeof operatorTerms]?: KeyChange[T] | undefined }

const fixedFields = (asked: OperatorTerms, current: OperatorTerms): string[] =>
  (Object.keys(operatorTerms) as (keyof typeof operatorTerms)[])
    .filter(term => asked[term] !== undefined && !isDeepStrictEqual(asked[term], current[term]))
    .map(term => operatorTerms[term])

function checkNarrower(scope: Scope, than: Scope): AdminFault | undefined {
  const wider = widerPart(scope, than)
  if (!wider) return undefined
  const { restriction } = wider
  return adminFault('scope_wider', [`scope.${restriction}`], { ...wider, bound: than[restriction]! })
}

/** Returns the fault of a key that a partner cannot make now. */
export function ownKeyFault(test: boolean, reason: OwnKeyReason, { liveKeysMax }: Partner): AdminFault {
  if (test) return adminFault('test_key_unavailable', ['test'], { reason: testReasons[reason], max: testKeysMax })
  return adminFault('live_key_unavailable', ['test'], { reason: liveReasons[reason], max: liveKeysMax })
}

const testReasons = { held: 'held', bounded: 'bounded', made: 'made', ended: 'made' } as const
const liveReasons = { held: 'held', bounded: 'bounded', made: 'ended', ended: 'ended' } as const

/** Returns the fault of a live key that the users of a partner cannot make now; undefined if they can. */
export async function liveKeyObstacle(
  { keys, clock }: { readonly keys: KeyAdmin; readonly clock: Clock },
  partner: Partner,
): Promise<AdminFault | undefined> {
  const { liveKeysMax, packageName } = partner
  if (packageName === undefined)
    return adminFault('live_key_unavailable', ['test'], { reason: 'no_package', max: liveKeysMax })
  const nowMs = clock.nowMs()
  const counts = await keys.ownKeys(partner.id, false, nowMs)
  const reason = ownKeyReason({ test: false }, counts, { nowMs, liveKeysMax })
  return reason && ownKeyFault(false, reason, partner)
}

/**
 * Returns the fault of a change that a user of a partner must not make: of terms that the operator sets, to a wider
 * scope, or of a state or end that the operator has set.
 */
export async function checkOwnChange(keys: KeyAdmin, before: Key, change: KeyChange): Promise<AdminFault | undefined> {
  const fixed = fixedFields(change, before)
  if (fixed.length > 0) return adminFault('own_terms_fixed', fixed, {})
  const wider = change.scope && checkNarrower(change.scope, before.scope)
  if (wider) return wider
  const { id } = before
  if (before.state === 'disabled' && change.state === 'active' && (await keys.stateSetBy(id)) === 'operator')
    return adminFault('disabled_by_operator', ['state'], { key: id })
  const { expiresMs } = change
  const endMs = expiresMs === undefined ? undefined : await keys.operatorEnd(id)
  if (endMs === undefined || (typeof expiresMs === 'number' && expiresMs <= endMs)) return undefined
  return adminFault('end_fixed', ['expires_at'], { key: id, expiresMs: endMs })
}
