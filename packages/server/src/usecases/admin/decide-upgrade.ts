import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { ApprovedChange, UpgradeDecision, UpgradeRequest, UpgradeStore } from '../../domain/upgrade.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { findOpenUpgrade, upgradeEvent } from './find-upgrade.ts'
import { recordOf } from './record.ts'

/** Dependencies of decisions about upgrade requests. */
export interface UpgradeDeciding {
  readonly upgrades: UpgradeStore
  readonly clock: Clock
}

/** A decision about an upgrade request, and the change that an approval makes. */
export interface DecidedUpgrade {
  readonly request: UpgradeRequest
  readonly state: UpgradeDecision['state']
  readonly answer?: string | undefined
  readonly change?: ApprovedChange
}

const verbs = { approved: 'approve', declined: 'decline', withdrawn: 'withdraw' } as const

/** Stores the decision about an open request. Returns a fault if the request, key or partner has changed meanwhile. */
export async function decideUpgrade(
  { upgrades, clock }: UpgradeDeciding,
  actor: Actor,
  { request, state, answer, change }: DecidedUpgrade,
): Promise<UpgradeRequest | AdminFault> {
  const fault = checkTexts({ answer })
  if (fault) return fault
  const { id, partnerId, revision } = request
  const record = recordOf(clock, actor, {
    action: `upgrade.${verbs[state]}`,
    target: id,
    partnerId,
    before: { state: request.state },
    after: { state, answer },
    ...(state !== 'withdrawn' && { events: [upgradeEvent(`upgrade.${state}`, request)] }),
  })
  const decision = { state, by: actor.id, atMs: record.audit.atMs, answer }
  const decided = await upgrades.decide(id, revision, decision, change, record)
  if (decided) return decided
  const current = await findOpenUpgrade(upgrades, actor, { id, expectedRevision: revision })
  if (isAdminFault(current)) return current
  // The request is still open, so the key or partner was changed.
  return adminFault('changed_meanwhile', [], {
    resource: change?.of ?? 'upgrade',
    id: change?.id ?? id,
    expectedRevision: change?.revision ?? revision,
    revision: (change?.revision ?? revision) + 1,
  })
}
