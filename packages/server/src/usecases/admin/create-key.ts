import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Agreement } from '../../domain/agreement.ts'
import { pinAllFeeds } from '../../domain/feed.ts'
import { applyKeyChange, type Key } from '../../domain/key.ts'
import { type SecretMint, toStoredSecret } from '../../domain/key-secret.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { type PackageName, type PackageTable, type Permission, packageNames } from '../../domain/package.ts'
import type { Partner } from '../../domain/partner.ts'
import type { Scope } from '../../domain/scope.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { ensurePartner, type FixedPartner } from './ensure-partner.ts'
import { checkBounds } from './key-bounds.ts'
import { keyEvent } from './key-event.ts'
import { checkTerms, checkTermValues } from './key-terms.ts'
import { isPartnerUser, type OwnTerms, ownKeyFault, ownTerms } from './own-keys.ts'
import { recordOf } from './record.ts'

/** Dependencies of `createKey`. */
export interface KeyCreation {
  readonly keys: KeyAdmin
  readonly mint: SecretMint
  readonly clock: Clock
  readonly packageTable: PackageTable
  /** The version that all feeds of a new key are pinned to: the latest stable one. */
  readonly latestStable: string
  newId(kind: 'key'): string
}

/** Terms of a new key. */
export interface KeyInput {
  /** Default: the partner of the actor, or the partner `default`, which is created if it does not exist. */
  readonly partnerId?: string | undefined
  readonly name?: string | undefined
  readonly packageName?: PackageName | undefined
  /** Default: false. */
  readonly test?: boolean
  readonly addOns?: readonly Permission[]
  readonly agreement?: Agreement
  readonly scope?: Scope
  readonly notes?: string | undefined
  /** End of the key, in the future. */
  readonly expiresMs?: number | undefined
  /** Networks or addresses from which the key can be used. Default: every address. */
  readonly networks?: readonly string[] | undefined
}

/** The partner of keys that are created without one. */
const defaultPartner: FixedPartner = { id: 'default', name: 'Default partner' }

/**
 * Creates a key and its first secret. Only this function returns the secret; the store contains its digest. A
 * user of a partner gets the terms of that partner, within bounds.
 */
export async function createKey(
  stores: KeyCreation,
  actor: Actor,
  input: KeyInput,
): Promise<{ readonly key: Key; readonly secret: string } | AdminFault> {
  const isOwn = isPartnerUser(actor)
  const { name, notes, test = false, expiresMs, partnerId } = input
  if (input.packageName === undefined && !isOwn)
    return adminFault('package_required', ['package'], { packages: packageNames })
  const fault =
    checkTexts({ name, notes }) ??
    checkTermValues(input) ??
    (isOwn ? undefined : checkTerms({ ...givenTerms(input), test }, stores.packageTable))
  if (fault) return fault
  const createdMs = stores.clock.nowMs()
  const bounds = checkBounds({ networks: input.networks ?? null, expiresMs: expiresMs ?? null })
  if (isAdminFault(bounds)) return bounds
  if (expiresMs !== undefined && expiresMs <= createdMs) return adminFault('end_invalid', ['expires_at'], { expiresMs })
  const partner = await findPartner(stores, actor, partnerId)
  if (isAdminFault(partner)) return partner
  const terms = isOwn ? ownTerms(partner, { ...input, test }) : givenTerms(input)
  if (isAdminFault(terms)) return terms
  const key = applyKeyChange(
    {
      id: stores.newId('key'),
      partnerId: partner.id,
      ...(name !== undefined && { name }),
      test,
      ...terms,
      feedPins: pinAllFeeds(stores.latestStable),
      state: 'active',
      createdMs,
      revision: 1,
    },
    { ...bounds, notes: notes ?? null },
  )
  return storeKey(stores, actor, partner, key)
}

const givenTerms = ({ packageName, addOns = [], agreement = {}, scope = {} }: KeyInput): OwnTerms => ({
  packageName: packageName!,
  addOns,
  agreement,
  scope,
})

async function storeKey(
  { keys, mint, clock, packageTable }: KeyCreation,
  actor: Actor,
  partner: Partner,
  key: Key,
): Promise<{ readonly key: Key; readonly secret: string } | AdminFault> {
  const secret = mint.create(key.test ? 'test' : 'live')
  const record = recordOf(clock, actor, {
    action: 'key.create',
    target: key.id,
    partnerId: partner.id,
    after: key,
    events: [keyEvent('key.created', key, {})],
  })
  const closed = adminFault('partner_closed', ['partner_id'], { partner: partner.id })
  const stored = toStoredSecret(secret, mint)
  if (!isPartnerUser(actor)) return (await keys.createKey(key, stored, record)) ? { key, secret } : closed
  // The terms of the partner lack a quota: its users cannot make live keys until the operator agrees on one.
  if (checkTerms(key, packageTable))
    return adminFault('live_key_unavailable', ['test'], { reason: 'no_package', max: partner.liveKeysMax })
  const bounds = { nowMs: key.createdMs, liveKeysMax: partner.liveKeysMax }
  const outcome = await keys.createOwnKey(key, stored, bounds, record)
  if (outcome === 'created') return { key, secret }
  return outcome === 'partner_closed' ? closed : ownKeyFault(key.test, outcome, partner)
}

/**
 * Returns the partner that holds a new key: by default the actor's own, or the default partner, which is created when
 * it is needed.
 */
async function findPartner(
  stores: KeyCreation,
  actor: Actor,
  id = actor.partnerId ?? defaultPartner.id,
): Promise<Partner | AdminFault> {
  if (id === defaultPartner.id && actor.partnerId === undefined) return ensurePartner(stores, actor, defaultPartner)
  return (
    (await stores.keys.partner(id, visibilityOf(actor))) ??
    adminFault('partner_unknown', ['partner_id'], { partner: id })
  )
}
