import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { User } from '../../../domain/user.ts'
import { changeUser, type UserUpdate } from '../../../usecases/admin/change-user.ts'
import { createRecoveryLink } from '../../../usecases/admin/create-link.ts'
import { eraseUser } from '../../../usecases/admin/erase-user.ts'
import { findManagedUser, toEmail } from '../../../usecases/admin/identity.ts'
import { endSessions } from '../../../usecases/admin/sessions.ts'
import type { ManagementContext } from '../../context.ts'
import { unknownValueView } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { answerWithLink } from '../../shared/people-parts.ts'
import { userPage } from './user.ts'

const pathOf = ({ params }: PageRequest): string => `/console/staff/${params.id}`

async function change(
  { identity }: ManagementContext,
  request: PageRequest,
  changed: UserUpdate['change'],
  message: (user: User) => string,
): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const update = { id: params.id!, expectedRevision: revisionOf(sent), change: changed }
  const outcome = await changeUser(identity, actor, update)
  return isAdminFault(outcome) ? outcome : { redirect: pathOf(request), message: message(outcome) }
}

/** Changes the role of staff. */
export async function setRole(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const update = { id: params.id!, expectedRevision: revisionOf(sent), change: { staffRole: sent.text('role') } }
  const outcome = await changeUser(context.identity, actor, update)
  if (!isAdminFault(outcome)) return { redirect: pathOf(request), message: `The role is ${outcome.staffRole} now.` }
  return outcome.fields.includes('role') || outcome.fault === 'changed_meanwhile'
    ? userPage(context, request, { role: outcome })
    : outcome
}

/** Disables or enables a user. */
export async function setState(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const state = (['active', 'disabled'] as const).find(name => name === request.form.text('state'))
  if (!state) return unknownValueView('state', ['active', 'disabled'])
  return change(context, request, { state }, () =>
    state === 'active' ? 'The user was enabled.' : 'The user was disabled.',
  )
}

/** Creates a link with which a user signs in; with `reset`, second factors, passkeys and sessions end first. */
export async function createLink(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const user = await findManagedUser(context.identity, actor, params.id!)
  if (isAdminFault(user)) return user
  const created = await createRecoveryLink(context.identity, actor, {
    user: user.id,
    reset: sent.text('reset') === 'yes',
  })
  if (isAdminFault(created)) return created
  const next = pathOf(request)
  const trail = [{ path: next, label: user.name ?? user.email }]
  return answerWithLink(context, request, { created, to: user.email, title: 'Link to sign in', next, trail })
}

/** Ends one session of a user, or all. */
export async function endUserSessions({ identity }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const id = sent.text('id')
  const outcome = await endSessions(identity, actor, id === '' ? { user: params.id! } : { id })
  if (isAdminFault(outcome)) return outcome
  return {
    redirect: pathOf(request),
    message: outcome.ended === 1 ? 'The session was ended.' : 'The sessions were ended.',
  }
}

/** Erases a user whose e-mail address was entered as a confirmation. */
export async function erase(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const user = await findManagedUser(context.identity, actor, params.id!)
  if (isAdminFault(user)) return user
  if (toEmail(sent.text('email')) !== user.email) return userPage(context, request, { erasing: sent.text('email') })
  const outcome = await eraseUser(context.identity, actor, { id: user.id })
  if (isAdminFault(outcome)) return outcome
  const [membership] = user.memberships
  const redirect = membership === undefined ? '/console/staff' : `/console/partners/${membership.partnerId}`
  return { redirect, message: 'The user was erased.' }
}
