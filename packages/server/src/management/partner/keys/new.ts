import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import { createKey } from '../../../usecases/admin/create-key.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { html } from '../../../web/html.ts'
import type { Choice, Field } from '../../../web/parts/form.ts'
import { notice } from '../../../web/parts/notice.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import { type PageView, type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { newSecretPage } from '../../shared/new-secret.ts'
import { ownForm } from '../own-form.ts'
import { keyPath } from './change.ts'
import { ownTermFields, readOwnTerms } from './key-form.ts'

/** The form for a new key, and the answer with its secret. */
export const keyCreationPages = [
  partnerPage({
    method: 'GET',
    path: '/keys/new',
    permission: 'own:explore',
    proof: true,
    handler: creationView,
  }),
  partnerPage({
    method: 'POST',
    path: '/keys/new',
    permission: 'own:explore',
    proof: true,
    handler: async (context, request) => {
      const { actor, form: values, partner, zone, may } = request
      const test = values.text('test') !== 'no'
      if (!test && !may('own:write')) return adminFault('not_permitted', ['test'], { permission: 'own:write' })
      const terms = readOwnTerms(values, zone)
      if (isAdminFault(terms)) return creationView(context, request, terms)
      const { name, expiresMs, networks, scope } = terms
      const created = await createKey(context.admin, actor, {
        ...{ partnerId: partner.id, test, scope },
        ...(name !== '' && { name }),
        ...(expiresMs !== null && { expiresMs }),
        ...(networks !== null && { networks }),
      })
      if (isAdminFault(created)) return creationView(context, request, created)
      return newSecretPage(context, request, {
        ...created,
        ...{ title: 'Your new key', next: keyPath(request, created.key.id) },
      })
    },
  }),
]

async function creationView(
  { admin }: ManagementContext,
  request: PartnerRequest,
  fault?: AdminFault,
): Promise<PageView> {
  const { site, partner, actor, zone, form: values } = request
  const path = linkTo(site, `/portal/${partner.id}/keys`)
  const keys = (await listKeys(admin, actor)).filter(({ state }) => state !== 'revoked')
  const obstacle = liveObstacle(keys, request)
  const fields = [
    kindField(obstacle === undefined, partner.packageName),
    ...ownTermFields({ scope: {} }, partner.scope, zone),
  ]
  const refused = fault && refuseForm(fields, values, fault)
  return {
    ...(refused && { status: refused.status }),
    title: 'New key',
    trail: [{ path: `/portal/${partner.id}/keys`, label: 'Keys' }],
    content: html`${obstacle !== undefined && notice('info', html`<p>${obstacle} ${request.may('own:write') && html`<a href="${linkTo(site, `/portal/${partner.id}/plan/request/live_key`)}">Request a live key</a>.`}</p>`)}${ownForm(
      request,
      'own:explore',
      {
        ...{ action: `${path}/new`, button: 'Create key', error: refused?.error, fields: refused?.fields ?? fields },
        cancel: { href: path, label: 'Cancel' },
      },
    )}`,
  }
}

/** Returns the sentence that says why the user cannot make a live key; undefined if they can. */
function liveObstacle(keys: readonly Key[], { partner, may }: PartnerRequest): string | undefined {
  if (!may('own:write')) return 'Live keys are made by an admin of your team.'
  if (partner.packageName === undefined) return 'Live keys need an agreement with the operator.'
  const live = keys.filter(({ test }) => !test).length
  return live < partner.liveKeysMax
    ? undefined
    : `Your team can have ${partner.liveKeysMax} live ${partner.liveKeysMax === 1 ? 'key' : 'keys'}, and has ${live}.`
}

function kindField(mayBeLive: boolean, packageName: string | undefined): Field {
  const choices: Choice[] = [
    { value: 'yes', label: 'Test key', hint: 'Free: 1,000 units a day, real data, no feeds. At most 3 at a time.' },
    { value: 'no', label: 'Live key', hint: `In the package ${packageName}. Its calls are billed.` },
  ]
  return {
    ...{ name: 'test', label: 'Kind', type: 'radio', value: 'yes' },
    choices: choices.filter(({ value }) => value === 'yes' || mayBeLive),
  }
}
