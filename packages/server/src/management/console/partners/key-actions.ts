import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key, KeyState } from '../../../domain/key.ts'
import { changeKey } from '../../../usecases/admin/change-key.ts'
import { endSecret } from '../../../usecases/admin/end-secret.ts'
import { forgivePenalty } from '../../../usecases/admin/forgive-penalty.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import type { ManagementContext } from '../../context.ts'
import { unknownValueView } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'

/** Returns the key of the path, if it belongs to the partner of the path. */
export const readKeyOfPath = (
  { admin }: ManagementContext,
  { actor, params }: PageRequest,
): Promise<Key | AdminFault> => getKey(admin, { ...actor, partnerId: params.id! }, { id: params.key! })

/** Returns the path of a key's page. */
export const partnerKeyPath = ({ partnerId, id }: Pick<Key, 'partnerId' | 'id'>): string =>
  `/console/partners/${partnerId}/keys/${id}`

/** Ends one secret of a key. */
export async function endKeySecret(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { form, actor } = request
  const end = { id: key.id, expectedRevision: revisionOf(form), secretId: form.text('secret') }
  const ended = await endSecret(context.admin, actor, end)
  return isAdminFault(ended) ? ended : { redirect: partnerKeyPath(key), message: 'The secret has ended.' }
}

/** Ends the penalty of a key. */
export async function forgive(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { admin, live } = context
  const forgiven = await forgivePenalty({ ...admin, live }, request.actor, { id: key.id })
  return isAdminFault(forgiven) ? forgiven : { redirect: partnerKeyPath(key), message: 'The penalty has ended.' }
}

const stateMessages: Readonly<Record<KeyState, string>> = {
  active: 'The key was enabled.',
  disabled: 'The key was disabled.',
  revoked: 'The key was revoked.',
}

/** Enables, disables or revokes a key. */
export async function setKeyState(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { form: sent, actor } = request
  const state = (['active', 'disabled', 'revoked'] as const).find(name => name === sent.text('state'))
  if (!state) return unknownValueView('state', Object.keys(stateMessages))
  const update = { id: key.id, expectedRevision: revisionOf(sent), change: { state } }
  const changed = await changeKey(context.admin, actor, update)
  return isAdminFault(changed) ? changed : { redirect: partnerKeyPath(key), message: stateMessages[state] }
}
