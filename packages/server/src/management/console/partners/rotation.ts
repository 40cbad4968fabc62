import { isAdminFault } from '../../../domain/admin-fault.ts'
import { rotateKey } from '../../../usecases/admin/rotate-key.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { showNewSecret } from '../../shared/new-secret.ts'
import { overlapMsOf } from '../../shared/overlaps.ts'
import { refusedKeyPage } from './key.ts'
import { partnerKeyPath, readKeyOfPath } from './key-actions.ts'

/** Rotates a key and shows the new secret, once. */
export async function rotate(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { form, actor } = request
  const overlapMs = overlapMsOf(form.text('overlap'))
  const rotation = { id: key.id, expectedRevision: revisionOf(form), overlapMs }
  const rotated = await rotateKey(context.admin, actor, rotation)
  if (isAdminFault(rotated)) return refusedKeyPage(context, request, 'rotate', rotated)
  const end = new Date(rotated.othersExpireMs).toUTCString()
  const note = overlapMs === 0 ? 'Earlier secrets have ended.' : `Earlier secrets stay valid until ${end}.`
  return showNewSecret(context, request, { ...rotated, title: 'The key was rotated', next: partnerKeyPath(key), note })
}
