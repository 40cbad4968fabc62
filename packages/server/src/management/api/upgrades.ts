import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Agreement } from '../../domain/agreement.ts'
import { addOnPermissions, packageNames } from '../../domain/package.ts'
import { type UpgradeAsk, type UpgradeRequest, upgradeOrders, upgradeStates } from '../../domain/upgrade.ts'
import { type Static, Type } from '../../kit/json-schema.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { upgradeResource, upgradeSchema } from '../../resources/upgrade.ts'
import { approveUpgrade } from '../../usecases/admin/approve-upgrade.ts'
import { declineUpgrade } from '../../usecases/admin/decline-upgrade.ts'
import { findUpgrade } from '../../usecases/admin/find-upgrade.ts'
import { listUpgradePart } from '../../usecases/admin/list-upgrades.ts'
import { openUpgrade } from '../../usecases/admin/open-upgrade.ts'
import { withdrawUpgrade } from '../../usecases/admin/withdraw-upgrade.ts'
import type { ManagementContext } from '../context.ts'
import { invalidCursor, pageOf, pageQuery, readListPage, sortQuery } from '../page.ts'
import type { ApiAnswer, ApiRequest } from '../route.ts'
import { apiRoute } from '../route.ts'
import { applyMergePatch, limitSchemas, partialObject } from '../terms-body.ts'

const member = { partner_id: Type.Optional(Type.String()), key_id: Type.Optional(Type.String()) }
const reason = { reason: enteredText('reason', 'Why the partner requests it.') }

const openBody = closedObject({
  ...member,
  ...reason,
  kind: Type.Enum(['package', 'add_on', 'quota', 'live_key']),
  package: Type.Optional(Type.Enum(packageNames)),
  add_on: Type.Optional(Type.Enum([...addOnPermissions])),
  quota: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')])),
})

type Answer = Promise<ApiAnswer<ReturnType<typeof upgradeResource>> | AdminFault>

const answerOf = (request: UpgradeRequest | AdminFault) =>
  isAdminFault(request) ? request : { body: upgradeResource(request), revision: request.revision }

/** Ends a request from the revision of If-Match, or from the current one. */
async function decide<B>(
  { admin }: ManagementContext,
  { actor, params, expectedRevision }: ApiRequest<unknown, B>,
  end: (change: { readonly id: string; readonly expectedRevision: number }) => Promise<UpgradeRequest | AdminFault>,
): Answer {
  const before = await findUpgrade(admin.upgrades, actor, params.id!)
  if (isAdminFault(before)) return before
  return answerOf(await end({ id: before.id, expectedRevision: expectedRevision || before.revision }))
}

/** Returns what a body asks for; undefined if the member that belongs to its kind is missing. */
function askOf({ kind, package: packageName, add_on: addOn, quota }: Static<typeof openBody>): UpgradeAsk | undefined {
  if (kind === 'live_key') return { kind, ...(packageName !== undefined && { packageName }) }
  if (kind === 'package') return packageName && { kind, packageName }
  if (kind === 'add_on') return addOn && { kind, addOn }
  return quota === undefined ? undefined : { kind, quota }
}

/** `/upgrade-requests` of the admin API. */
export const upgradeRoutes = [
  apiRoute({
    method: 'GET',
    path: '/upgrade-requests',
    operation: 'listUpgradeRequests',
    summary: 'Lists upgrade requests, newest first by default.',
    permission: 'keys:read',
    forPartners: true,
    query: closedObject({
      ...pageQuery,
      ...sortQuery(upgradeOrders),
      partner_id: Type.Optional(Type.String()),
      state: Type.Optional(Type.Enum(upgradeStates)),
    }),
    response: pageOf(upgradeSchema),
    handler: async ({ admin }, { actor, query: { partner_id: partnerId, state, ...page } }) => {
      const filter = { partnerId, states: state === undefined ? undefined : [state] }
      const found = await readListPage(
        upgradeOrders,
        span => listUpgradePart(admin, actor, { ...filter, ...span }),
        page,
      )
      return found ? { body: { ...found, data: found.data.map(upgradeResource) } } : invalidCursor()
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/upgrade-requests',
    operation: 'openUpgradeRequest',
    summary: 'Opens a request for better terms of a key, or for one more live key of a partner.',
    permission: 'keys:write',
    body: openBody,
    status: 201,
    response: upgradeSchema,
    handler: async ({ admin }, { actor, body }) => {
      const ask = askOf(body)
      if (!ask) return adminFault('upgrade_incomplete', [body.kind], { kind: body.kind })
      const { key_id: keyId, partner_id: partnerId, reason } = body
      const opened = await openUpgrade(admin, actor, { ask, keyId, partnerId, reason })
      if (isAdminFault(opened)) return opened
      const location = `/upgrade-requests/${opened.id}`
      return { body: upgradeResource(opened), revision: opened.revision, location }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/upgrade-requests/:id',
    operation: 'getUpgradeRequest',
    summary: 'Returns an upgrade request.',
    permission: 'keys:read',
    forPartners: true,
    response: upgradeSchema,
    handler: async ({ admin }, { actor, params }) => answerOf(await findUpgrade(admin.upgrades, actor, params.id!)),
  }),
  apiRoute({
    method: 'POST',
    path: '/upgrade-requests/:id/approve',
    operation: 'approveUpgradeRequest',
    summary: 'Approves a request and makes its change in the same transaction. If-Match is optional.',
    permission: 'requests:decide',
    body: closedObject({
      agreement: Type.Optional(partialObject(limitSchemas)),
      answer: Type.Optional(enteredText('answer', 'Answer to the partner.')),
    }),
    response: upgradeSchema,
    handler: (context, request) =>
      decide(context, request, change =>
        approveUpgrade(context.admin, request.actor, {
          ...change,
          answer: request.body.answer,
          agreement: applyMergePatch<Agreement>({}, request.body.agreement),
        }),
      ),
  }),
  apiRoute({
    method: 'POST',
    path: '/upgrade-requests/:id/decline',
    operation: 'declineUpgradeRequest',
    summary: 'Declines a request. If-Match is optional.',
    permission: 'requests:decide',
    body: closedObject({ answer: enteredText('answer', 'Answer to the partner.') }),
    response: upgradeSchema,
    handler: (context, request) =>
      decide(context, request, change =>
        declineUpgrade(context.admin, request.actor, { ...change, answer: request.body.answer }),
      ),
  }),
  apiRoute({
    method: 'POST',
    path: '/upgrade-requests/:id/withdraw',
    operation: 'withdrawUpgradeRequest',
    summary: 'Withdraws a request on behalf of its partner. If-Match is optional.',
    permission: 'keys:write',
    response: upgradeSchema,
    handler: (context, request) =>
      decide(context, request, change => withdrawUpgrade(context.admin, request.actor, change)),
  }),
]
