import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { pageOrders, sortRows } from '../../../domain/list-order.ts'
import type { User } from '../../../domain/user.ts'
import { everything } from '../../../domain/visibility.ts'
import { mayManageUser } from '../../../identity/permissions.ts'
import { sessionListResource } from '../../../resources/user.ts'
import { findUser } from '../../../usecases/admin/identity.ts'
import { listSessions } from '../../../usecases/admin/sessions.ts'
import { type Html, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { buttonForm, type Field, form } from '../../../web/parts/form.ts'
import { badge } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter } from '../../../web/parts/sort-head.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type RefusedForm, refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionField } from '../../pages/revision.ts'
import { exportFormat, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { staffRoleChoices } from '../../shared/people-parts.ts'
import { sessionOrders, sessionTable } from '../../shared/sessions.ts'
import { readSort } from '../../shared/sort.ts'

/** A refused form of the page of a user. */
interface Refused {
  /** The fault of another role. */
  readonly role?: AdminFault
  /** The address that was entered to confirm an erasure, and is not that of the user. */
  readonly erasing?: string
}

const orders = pageOrders({ by: 'signed_in', isDescending: true }, sessionOrders)

/** Shows a user, staff or of partners, with the actions that the reader may take. */
export async function userPage(
  { identity }: ManagementContext,
  request: PageRequest,
  refused: Refused = {},
): Promise<PageAnswer> {
  const { actor, params, form: sent, user: reader, site, zone, nowMs, session, may } = request
  const found = await findUser(identity, actor, params.id!)
  if (isAdminFault(found)) return found
  const sort = readSort(orders, request)
  if ('title' in sort) return sort
  const canManage = mayManage(reader, found)
  const listed = canManage ? await listSessions(identity, actor, { user: found.id }) : []
  const sessions = sortRows(isAdminFault(listed) ? [] : listed, sort, sessionOrders)
  const lists: PageLists = { sessions: ['Sessions', () => sessionListResource(sessions).sessions] }
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  const path = linkTo(site, `/console/staff/${found.id}`)
  const order = { orders, current: sort, path, filters: {}, part: 'sessions' }
  const role = refused.role && refuseForm(roleFields(found), sent, refused.role)
  return {
    ...(refused.erasing !== undefined && { status: 422 }),
    ...(role && { status: role.status }),
    title: found.name ?? found.email,
    trail: may('tokens:write') ? [{ path: '/console/staff', label: 'Staff' }] : [],
    content: [
      card('Account', await userFacts(identity, found, request), {
        ...(canManage && { actions: accountActions(found, path) }),
      }),
      canManage && found.staffRole !== undefined && roleCard(found, path, role),
      canManage &&
        card(
          'Sessions',
          sessionTable({
            sessions,
            zone,
            nowMs,
            current: session.id,
            order,
            end: ({ id }) => buttonForm(`${path}/end-sessions`, 'End', { id }),
          }),
          { id: 'sessions', actions: buttonForm(`${path}/end-sessions`, 'End all') },
        ),
      canManage && eraseCard(found, path, refused.erasing),
      sameElsewhere({
        cli: [
          `periplus users set ${found.id} --role support`,
          `periplus users disable ${found.id}`,
          `periplus users link ${found.id}`,
        ],
        api: `GET /admin/v1/users/${found.id}\nGET /admin/v1/sessions?user=${found.id}`,
        ...(canManage && { files: listFiles(path, lists, { sort: sortParameter(order) }) }),
      }),
    ],
  }
}

const mayManage = ({ staffRole }: User, { memberships }: User): boolean =>
  staffRole !== undefined && mayManageUser(staffRole, memberships.length > 0 ? 'partner' : 'staff')

async function userFacts(
  identity: ManagementContext['identity'],
  user: User,
  { site, zone }: PageRequest,
): Promise<Html> {
  const partners = await Promise.all(
    user.memberships.map(async ({ partnerId, role }) => {
      const name = (await identity.keys.partner(partnerId, everything))?.name ?? partnerId
      return html`<a href="${linkTo(site, `/console/partners/${partnerId}`)}">${name}</a> (${role})<br>`
    }),
  )
  const { password, totp, passkeys, oidc } = user.factors
  const ways = [
    ...(password ? ['password'] : []),
    ...(totp ? ['authenticator app'] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
    ...(oidc ? ['your organisation (OpenID Connect)'] : []),
  ]
  return facts([
    ['E-mail', user.email],
    ['Role', user.staffRole],
    ['Partners', partners.length > 0 && partners],
    ['State', user.state === 'active' ? badge('good', 'Active') : badge('warn', 'Disabled')],
    ['Signs in with', ways.length > 0 ? ways.join(', ') : 'a link only'],
    ['Last sign-in', user.lastSignInMs === undefined ? 'Never' : time(user.lastSignInMs, zone)],
    ['Since', time(user.createdMs, zone, 'day')],
    ['Id', html`<code>${user.id}</code>`],
  ])
}

function accountActions(user: User, path: string): Html {
  const hidden = { revision: String(user.revision) }
  const isActive = user.state === 'active'
  return html`${isActive && buttonForm(`${path}/link`, 'Create link to sign in')}${
    isActive &&
    confirm({
      label: 'Reset',
      button: 'Remove factors and create a link',
      action: `${path}/link`,
      hidden: { reset: 'yes' },
      question: 'Removes authenticator app, recovery codes, passkeys and sessions, for a person who lost them.',
    })
  }${
    isActive
      ? confirm({
          label: 'Disable',
          button: 'Disable the user',
          action: `${path}/state`,
          hidden: { ...hidden, state: 'disabled' },
          question: 'Ends all sessions. Nobody can sign in with this account until it is enabled again.',
        })
      : buttonForm(`${path}/state`, 'Enable', { ...hidden, state: 'active' })
  }`
}

const roleFields = (user: User): readonly Field[] => [
  revisionField(user),
  { name: 'role', label: 'This person is', type: 'radio', value: user.staffRole, choices: staffRoleChoices },
]

const roleCard = (user: User, path: string, refused: RefusedForm | undefined): Html =>
  card(
    'Role',
    form({
      action: `${path}/role`,
      fields: refused?.fields ?? roleFields(user),
      error: refused?.error,
      button: 'Change role',
      kind: 'plain',
    }),
  )

/** Returns the field with which an erasure is confirmed. */
const eraseField = (user: User, entered: string | undefined): Field => ({
  name: 'email',
  label: 'E-mail address of the user',
  type: 'email',
  value: entered,
  error: entered === undefined ? undefined : 'This is not the e-mail address of the user.',
  hint: `Enter ${user.email} to confirm.`,
})

const eraseCard = (user: User, path: string, entered: string | undefined): Html =>
  card('Erase', [
    html`<p class="quiet">Removes name, e-mail address, passkeys and sessions permanently. The audit keeps only the
id.</p>`,
    form({ action: `${path}/erase`, fields: [eraseField(user, entered)], button: 'Erase the user', kind: 'danger' }),
  ])
