import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { createKey } from '../../../usecases/admin/create-key.ts'
import { liveKeyObstacle } from '../../../usecases/admin/own-keys.ts'
import { html } from '../../../web/html.ts'
import type { Choice, Field } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { notice } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { faultText, refuseForm, refuseUnknownChoices } from '../../pages/form-faults.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { showNewSecret } from '../../shared/new-secret.ts'
import { ownForm } from '../../shared/own-form.ts'
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
      const unknown = refuseUnknownChoices([kindField(true, undefined)], values)
      if (unknown) return creationView(context, request, 'unknown_kind')
      const test = values.text('test') !== 'no'
      if (!test && !may('own:write'))
        return creationView(context, request, adminFault('not_permitted', ['test'], { permission: 'own:write' }))
      const terms = readOwnTerms(values, zone)
      if (isAdminFault(terms)) return creationView(context, request, terms)
      const { name, expiresMs, networks, scope } = terms
      const created = await createKey(context.admin, actor, {
        partnerId: partner.id,
        test,
        scope,
        ...(name !== '' && { name }),
        ...(expiresMs !== null && { expiresMs }),
        ...(networks !== null && { networks }),
      })
      if (isAdminFault(created)) return creationView(context, request, created)
      return showNewSecret(context, request, {
        ...created,
        title: 'Your new key',
        next: keyPath(request, created.key.id),
      })
    },
  }),
]

async function creationView(
  { admin }: ManagementContext,
  request: PartnerRequest,
  refusal?: AdminFault | 'unknown_kind',
): Promise<PageView> {
  const { site, partner, zone, form: values } = request
  const path = linkTo(site, `/portal/${partner.id}/keys`)
  const obstacle = await liveObstacle(admin, request)
  const fields = [
    kindField(obstacle === undefined, partner.packageName),
    ...ownTermFields({ scope: {} }, partner.scope, zone),
  ]
  const ask = link(linkTo(site, `/portal/${partner.id}/plan/request/live_key`), 'Send a request')
  const refused =
    refusal === 'unknown_kind' ? refuseUnknownChoices(fields, values) : refusal && refuseForm(fields, values, refusal)
  return {
    ...(refused && { status: refused.status }),
    title: 'New key',
    trail: [{ path: `/portal/${partner.id}/keys`, label: 'Keys' }],
    content: [
      obstacle !== undefined && notice('info', html`<p>${obstacle} ${request.may('own:write') && html`${ask}.`}</p>`),
      ownForm(request, 'own:explore', {
        action: `${path}/new`,
        button: 'Create key',
        error: refused?.error,
        fields: refused?.fields ?? fields,
        cancel: { href: path, label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus keys create --partner ${partner.id} --test --name TEXT`,
        api: 'POST /admin/v1/keys',
      }),
    ],
  }
}

/** Returns the sentence that says why the user cannot make a live key; undefined if they can. */
async function liveObstacle(admin: ManagementContext['admin'], { partner, may }: PartnerRequest) {
  if (!may('own:write')) return 'Live keys are made by an admin of your team.'
  const fault = await liveKeyObstacle(admin, partner)
  return fault && faultText(fault)
}

function kindField(mayBeLive: boolean, packageName: string | undefined): Field {
  const choices: Choice[] = [
    { value: 'yes', label: 'Test key', hint: 'Free: 1,000 units a day, real data, no feeds. At most 3 at a time.' },
    { value: 'no', label: 'Live key', hint: `In the package ${packageName}. Its calls are billed.` },
  ]
  return {
    name: 'test',
    label: 'Kind',
    type: 'radio',
    value: 'yes',
    choices: choices.filter(({ value }) => value === 'yes' || mayBeLive),
  }
}
