import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Agreement } from '../../domain/agreement.ts'
import { applyKeyChange, type Key, type KeyChange } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PackageTable } from '../../domain/package.ts'
import { applyPartnerChange, type PartnerChange } from '../../domain/partner.ts'
import type { ApprovedChange, UpgradeAsk, UpgradeRequest, UpgradeStore } from '../../domain/upgrade.ts'
import type { Clock } from '../../kit/clock.ts'
import { decideUpgrade } from './decide-upgrade.ts'
import { findKey } from './find-key.ts'
import { findOpenUpgrade } from './find-upgrade.ts'
import { getPartner } from './get-partner.ts'
import { checkTerms, checkTermValues } from './key-terms.ts'
import { checkPartnerTerms } from './partner-terms.ts'
import { recordOf } from './record.ts'

/** Dependencies of `approveUpgrade`. */
export interface UpgradeApproval {
  readonly keys: KeyAdmin
  readonly upgrades: UpgradeStore
  readonly clock: Clock
  readonly packageTable: PackageTable
}

/** An approval, based on the revision of the request that the caller read. */
export interface ApprovalInput {
  readonly id: string
  readonly expectedRevision: number
  /** Agreed limits in addition to those of the key or partner; they override what was requested. */
  readonly agreement?: Agreement
  readonly answer?: string | undefined
}

/** Approves an upgrade request and changes the key, or the partner for a live key, in the same transaction. */
export async function approveUpgrade(
  stores: UpgradeApproval,
  actor: Actor,
  input: ApprovalInput,
): Promise<UpgradeRequest | AdminFault> {
  const request = await findOpenUpgrade(stores.upgrades, actor, input)
  if (isAdminFault(request)) return request
  const change = await (request.keyId === undefined
    ? partnerChange(stores, actor, request, input)
    : keyChange(stores, actor, request, { ...input, keyId: request.keyId }))
  return isAdminFault(change) ? change : decideUpgrade(stores, actor, { ...input, state: 'approved', request, change })
}

async function keyChange(
  { keys, clock, packageTable }: UpgradeApproval,
  actor: Actor,
  { ask }: UpgradeRequest,
  { keyId, agreement = {} }: ApprovalInput & { readonly keyId: string },
): Promise<ApprovedChange | AdminFault> {
  const before = await findKey(keys, actor, keyId)
  if (isAdminFault(before)) return before
  if (before.state === 'revoked') return adminFault('key_revoked', ['key_id'], { key: keyId })
  const asked = askedKeyChange(before, ask)
  const change: KeyChange = { ...asked, agreement: { ...before.agreement, ...asked.agreement, ...agreement } }
  const after = applyKeyChange(before, change)
  const fault = checkTermValues(change) ?? checkTerms(after, packageTable)
  if (fault) return fault
  const { revision, partnerId } = before
  const record = recordOf(clock, actor, { action: 'key.change', target: keyId, partnerId, before, after })
  return { of: 'key', id: keyId, revision, change, record }
}

/** Returns the change of a key that a request asks for. */
export const askedKeyChange = (key: Key, ask: UpgradeAsk): KeyChange => ({
  agreement: { ...key.agreement, ...(ask.kind === 'quota' && { quota: ask.quota }) },
  ...(ask.kind === 'package' && { packageName: ask.packageName }),
  ...(ask.kind === 'add_on' && { addOns: [...new Set([...key.addOns, ask.addOn])] }),
})

async function partnerChange(
  stores: UpgradeApproval,
  actor: Actor,
  { partnerId: id, ask }: UpgradeRequest,
  { agreement = {} }: ApprovalInput,
): Promise<ApprovedChange | AdminFault> {
  const before = await getPartner(stores, actor, { id })
  if (isAdminFault(before)) return before
  if (before.state === 'closed') return adminFault('partner_closed', ['partner_id'], { partner: id })
  const packageName = (ask.kind === 'live_key' ? ask.packageName : undefined) ?? before.packageName
  const change: PartnerChange = {
    liveKeysMax: before.liveKeysMax + 1,
    ...(packageName !== undefined && { packageName }),
    agreement: { ...before.agreement, ...agreement },
  }
  const checked = checkPartnerTerms(change)
  if (isAdminFault(checked)) return checked
  const details = { action: 'partner.change', target: id, partnerId: id, before }
  const record = recordOf(stores.clock, actor, { ...details, after: applyPartnerChange(before, checked) })
  return { of: 'partner', id, revision: before.revision, change: checked, record }
}
