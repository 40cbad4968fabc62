import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import { rotateKey } from '../../../usecases/admin/rotate-key.ts'
import type { Field } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { keyName } from '../../shared/key-parts.ts'
import { showNewSecret } from '../../shared/new-secret.ts'
import { defaultOverlap, overlapChoices, overlapMsOf, refuseRotation } from '../../shared/overlaps.ts'
import { ownForm } from '../../shared/own-form.ts'
import { keyPath, keyTrail } from './change.ts'

const overlapField: Field = {
  name: 'overlap',
  label: 'The old secret still works for',
  type: 'radio',
  value: defaultOverlap,
  choices: overlapChoices,
  hint: 'Give your programs the new secret during this time, so that no call fails. You can end the old secret earlier.',
}

/** The rotation of a key: its form, and the answer with the new secret. */
export const keyRotationPages = [
  partnerPage({
    method: 'GET',
    path: '/keys/:id/rotate',
    permission: 'own:write',
    proof: true,
    handler: async ({ admin }, request) => {
      const key = await getKey(admin, request.actor, { id: request.params.id! })
      return isAdminFault(key) ? key : rotationView(request, key)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/keys/:id/rotate',
    permission: 'own:write',
    proof: true,
    handler: async (context, request) => {
      const { actor, params, form: values } = request
      const { admin } = context
      const key = await getKey(admin, actor, { id: params.id! })
      if (isAdminFault(key)) return key
      const overlapMs = overlapMsOf(values.text('overlap'))
      const input = { id: key.id, expectedRevision: revisionOf(values), overlapMs }
      const rotated = await rotateKey(admin, actor, input)
      if (isAdminFault(rotated)) return rotationView(request, key, rotated)
      const hours = overlapMs / 3_600_000
      return showNewSecret(context, request, {
        key: rotated.key,
        secret: rotated.secret,
        title: 'The new secret',
        next: keyPath(request, key.id),
        note:
          hours === 0 ? 'The earlier secrets have ended.' : `The earlier secrets work for ${hours} hours more at most.`,
      })
    },
  }),
]

function rotationView(request: PartnerRequest, key: Key, fault?: AdminFault): PageView {
  const { site, form: values } = request
  const path = linkTo(site, keyPath(request, key.id))
  const fields = [overlapField, revisionField(key)]
  const refused = fault && refuseRotation(fields, values, fault)
  return {
    ...(refused && { status: refused.status }),
    title: `Rotate ${keyName(key)}`,
    lead: 'The key gets a new secret. Its limits, usage and pins stay the same.',
    trail: keyTrail(request, key),
    content: [
      ownForm(request, 'own:write', {
        action: `${path}/rotate`,
        button: 'Rotate',
        error: refused?.error,
        fields: refused?.fields ?? fields,
        cancel: { href: path, label: 'Cancel' },
      }),
      sameElsewhere({
        cli: `periplus keys rotate ${key.id} --overlap 24h`,
        api: `POST /admin/v1/keys/${key.id}/secrets`,
      }),
    ],
  }
}
