import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import { endSecret } from '../../../usecases/admin/end-secret.ts'
import { forgivePenalty } from '../../../usecases/admin/forgive-penalty.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import { rotateKey } from '../../../usecases/admin/rotate-key.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { showNewSecret } from '../../shared/new-secret.ts'
import { overlapMsOf } from '../../shared/overlaps.ts'

/** Returns the key of the path, if it belongs to the partner of the path. */
export const readKeyOfPath = (
  { admin }: ManagementContext,
  { actor, params }: PageRequest,
): Promise<Key | AdminFault> => getKey(admin, { ...actor, partnerId: params.id! }, { id: params.key! })

/** Returns the path of a key's page. */
export const partnerKeyPath = ({ partnerId, id }: Pick<Key, 'partnerId' | 'id'>): string =>
  `/console/partners/${partnerId}/keys/${id}`

/** Rotates a key and shows the new secret, once. */
export async function rotate(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { form, actor } = request
  const overlapMs = overlapMsOf(form.text('overlap'))
  const rotation = { id: key.id, expectedRevision: revisionOf(form), overlapMs }
  const rotated = await rotateKey(context.admin, actor, rotation)
  if (isAdminFault(rotated)) return rotated
  const end = new Date(rotated.othersExpireMs).toUTCString()
  const note = overlapMs === 0 ? 'Earlier secrets have ended.' : `Earlier secrets stay valid until ${end}.`
  return showNewSecret(context, request, { ...rotated, title: 'The key was rotated', next: partnerKeyPath(key), note })
}

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
