import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { addOnPermissions, type PackageTable } from '../../domain/package.ts'
import type { UpgradeAsk, UpgradeRequest, UpgradeStore } from '../../domain/upgrade.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { findKey } from './find-key.ts'
import { upgradeEvent } from './find-upgrade.ts'
import { getPartner } from './get-partner.ts'
import { checkTermValues } from './key-terms.ts'
import { recordOf } from './record.ts'

/** Dependencies of `openUpgrade`. */
export interface UpgradeOpening {
  readonly keys: KeyAdmin
  readonly upgrades: UpgradeStore
  readonly clock: Clock
  readonly packageTable: PackageTable
  newId(kind: 'upgrade'): string
}

/** A request for better terms of a key, or for a live key of a partner. */
export interface UpgradeInput {
  readonly ask: UpgradeAsk
  /** Required except for a live key. */
  readonly keyId?: string | undefined
  /** Required for a live key unless the actor belongs to a partner. */
  readonly partnerId?: string | undefined
  readonly reason: string
}

/** Opens a request for better terms, which the operator approves or declines. */
export async function openUpgrade(
  stores: UpgradeOpening,
  actor: Actor,
  input: UpgradeInput,
): Promise<UpgradeRequest | AdminFault> {
  const { ask, reason } = input
  const fault = checkTexts({ reason })
  if (fault) return fault
  const subject = ask.kind === 'live_key' ? await partnerOf(stores, actor, input) : await keyOf(stores, actor, input)
  if (isAdminFault(subject)) return subject
  const request: UpgradeRequest = {
    id: stores.newId('upgrade'),
    ...subject,
    ask,
    reason,
    state: 'open',
    by: actor.id,
    createdMs: stores.clock.nowMs(),
    revision: 1,
  }
  const { id, partnerId } = request
  const record = recordOf(stores.clock, actor, {
    action: 'upgrade.open',
    target: id,
    partnerId,
    after: { ...subject, ...ask, reason },
    events: [upgradeEvent('upgrade.requested', request)],
  })
  if (await stores.upgrades.open(request, record)) return request
  return adminFault('upgrade_open', [], { kind: ask.kind, subject: subject.keyId ?? partnerId })
}

type Subject = Pick<UpgradeRequest, 'partnerId' | 'keyId'>

async function partnerOf(
  { keys }: UpgradeOpening,
  actor: Actor,
  { partnerId = actor.partnerId }: UpgradeInput,
): Promise<Subject | AdminFault> {
  if (partnerId === undefined) return adminFault('upgrade_incomplete', ['partner_id'], { kind: 'live_key' })
  const partner = await getPartner({ keys }, actor, { id: partnerId })
  if (isAdminFault(partner)) return partner
  return partner.state === 'open' ? { partnerId } : adminFault('partner_closed', ['partner_id'], { partner: partnerId })
}

async function keyOf(
  { keys, packageTable }: UpgradeOpening,
  actor: Actor,
  { ask, keyId }: UpgradeInput,
): Promise<Subject | AdminFault> {
  if (keyId === undefined) return adminFault('upgrade_incomplete', ['key_id'], { kind: ask.kind })
  const key = await findKey(keys, actor, keyId)
  if (isAdminFault(key)) return key
  if (key.state === 'revoked') return adminFault('key_revoked', ['key_id'], { key: keyId })
  // The limits of a test key are fixed.
  if (key.test || hasAlready(key, ask, packageTable))
    return adminFault('upgrade_pointless', ['ask'], { key: keyId, kind: ask.kind, test: key.test })
  return checkAsk(ask) ?? { partnerId: key.partnerId, keyId }
}

function hasAlready(key: Key, ask: UpgradeAsk, { packages }: PackageTable): boolean {
  if (ask.kind === 'package') return key.packageName === ask.packageName
  if (ask.kind === 'add_on') return [...packages[key.packageName].permissions, ...key.addOns].includes(ask.addOn)
  return ask.kind === 'quota' && (key.agreement.quota ?? packages[key.packageName].quota) === ask.quota
}

function checkAsk(ask: UpgradeAsk): AdminFault | undefined {
  if (ask.kind === 'add_on' && !addOnPermissions.includes(ask.addOn))
    return adminFault('add_on_invalid', ['add_on'], { addOn: ask.addOn, addOns: addOnPermissions })
  return ask.kind === 'quota' ? checkTermValues({ agreement: { quota: ask.quota } }) : undefined
}
