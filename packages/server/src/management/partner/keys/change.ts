import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key, KeyState } from '../../../domain/key.ts'
import { changeKey } from '../../../usecases/admin/change-key.ts'
import { endSecret } from '../../../usecases/admin/end-secret.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import type { NavLink } from '../../../web/layout.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import { refuseForm, unknownValueView } from '../../pages/form-faults.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { keyName } from '../../shared/key-parts.ts'
import { ownForm } from '../../shared/own-form.ts'
import { ownTermFields, readKeyChange } from './key-form.ts'

const states: Readonly<Record<string, { readonly state: KeyState; readonly message: string }>> = {
  active: { state: 'active', message: 'The key was enabled.' },
  disabled: { state: 'disabled', message: 'The key was disabled. Calls with it are refused.' },
  revoked: { state: 'revoked', message: 'The key was revoked.' },
}

/** Returns the path of the page of a key, below the base path. */
export const keyPath = ({ partner }: Pick<PartnerRequest, 'partner'>, id: string): string =>
  `/portal/${partner.id}/keys/${id}`

/** Returns the links above the pages below that of a key. */
export const keyTrail = (request: PartnerRequest, key: Key): NavLink[] => [
  { path: `/portal/${request.partner.id}/keys`, label: 'Keys' },
  { path: keyPath(request, key.id), label: keyName(key) },
]

/** The form for name, end, networks and scope of a key, and the changes of its state and secrets. */
export const keyChangePages = [
  partnerPage({
    method: 'GET',
    path: '/keys/:id/edit',
    permission: 'own:write',
    handler: async ({ admin }, request) => {
      const key = await getKey(admin, request.actor, { id: request.params.id! })
      return isAdminFault(key) ? key : editView(request, key)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/keys/:id/edit',
    permission: 'own:write',
    handler: async ({ admin }, request) => {
      const { actor, params, form: values, zone, nowMs } = request
      const key = await getKey(admin, actor, { id: params.id! })
      if (isAdminFault(key)) return key
      const change = readKeyChange(key, values, { zone, nowMs })
      if (isAdminFault(change)) return editView(request, key, change)
      const changed = await changeKey(admin, actor, { id: key.id, expectedRevision: revisionOf(request.form), change })
      if (isAdminFault(changed)) return editView(request, key, changed)
      const isSame = changed.revision === key.revision
      return { redirect: keyPath(request, key.id), message: isSame ? 'Nothing was changed.' : 'The key is changed.' }
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/keys/:id/state',
    permission: 'own:write',
    handler: async ({ admin }, request) => {
      const { actor, params, form: values } = request
      const id = params.id!
      const chosen = states[values.text('state')]
      if (!chosen) return unknownValueView('state', Object.keys(states))
      const { state, message } = chosen
      const changed = await changeKey(admin, actor, {
        id,
        expectedRevision: revisionOf(request.form),
        change: { state },
      })
      return isAdminFault(changed) ? changed : { redirect: keyPath(request, id), message }
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/keys/:id/end-secret',
    permission: 'own:write',
    handler: async ({ admin }, request) => {
      const { actor, params, form: values } = request
      const input = { id: params.id!, expectedRevision: revisionOf(request.form), secretId: values.text('secret') }
      const key = await endSecret(admin, actor, input)
      return isAdminFault(key) ? key : { redirect: keyPath(request, key.id), message: 'The secret has ended.' }
    },
  }),
]

/** Returns the form; after a refusal with what was sent. */
function editView(request: PartnerRequest, key: Key, fault?: AdminFault): PageView {
  const { site, zone, form: values } = request
  const path = linkTo(site, keyPath(request, key.id))
  const fields = [...ownTermFields(key, key.scope, zone), revisionField(key)]
  const refused = fault && refuseForm(fields, values, fault)
  return {
    ...(refused && { status: refused.status }),
    title: `Edit ${keyName(key)}`,
    trail: keyTrail(request, key),
    content: [
      ownForm(request, 'own:write', {
        action: `${path}/edit`,
        button: 'Save',
        error: refused?.error,
        fields: refused?.fields ?? fields,
        cancel: { href: path, label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus keys set ${key.id} --name TEXT --expires DATE --network CIDR --countries CODES`,
        api: `PATCH /admin/v1/keys/${key.id}`,
      }),
    ],
  }
}
