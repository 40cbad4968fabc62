import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type ListOrder, pageOrders, sortRows } from '../../../domain/list-order.ts'
import type { Session } from '../../../domain/session.ts'
import type { User } from '../../../domain/user.ts'
import { tokenResource } from '../../../resources/token.ts'
import { sessionListResource, userResource } from '../../../resources/user.ts'
import { endInvitation, listInvitations } from '../../../usecases/admin/invitations.ts'
import { inviteUser } from '../../../usecases/admin/invite-user.ts'
import { listTokens } from '../../../usecases/admin/list-tokens.ts'
import { listUsers } from '../../../usecases/admin/list-users.ts'
import { listSessions } from '../../../usecases/admin/sessions.ts'
import { html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm, type Form, form } from '../../../web/parts/form.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import {
  answerWithLink,
  invitationTable,
  inviteFields,
  staffRoleChoices,
  userColumns,
  userName,
  userOrders,
} from '../../shared/people-parts.ts'
import { sessionOrders, sessionTable } from '../../shared/sessions.ts'
import { readSort } from '../../shared/sort.ts'
import { sortTokens, tokenCard, tokenOrders } from './token-card.ts'

const fields = inviteFields(staffRoleChoices, 'support')

const orders = pageOrders({ by: 'name', isDescending: false }, userOrders, tokenOrders, sessionOrders)

/** Shows staff, invitations, tokens and sessions. */
export async function staffPage(
  context: ManagementContext,
  request: PageRequest,
  refused: Partial<Pick<Form, 'fields' | 'error'>> & { readonly status?: number } = {},
): Promise<PageAnswer> {
  const { identity, admin } = context
  const { actor, site, zone, nowMs } = request
  const current = readSort(orders, request)
  if ('title' in current) return current
  const all = await listUsers(identity, actor, {})
  const staff = sortRows(
    all.filter(({ staffRole }) => staffRole !== undefined),
    current,
    userOrders,
  )
  const invited = await listInvitations(identity, actor, {})
  const sessions = await readSessions(context, request, staff, current)
  const tokens = sortTokens(await listTokens(admin, actor), current)
  const lists: PageLists = {
    staff: ['Staff', () => staff.map(userResource)],
    tokens: ['Tokens', () => tokens.map(token => tokenResource(token, nowMs))],
    sessions: ['Sessions of staff', () => sessionListResource(sessions).sessions],
  }
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  const { status, ...formParts } = refused
  const path = linkTo(site, '/console/staff')
  const order = { orders, current, path, filters: {} }
  return {
    ...(status !== undefined && { status }),
    title: 'Staff',
    lead: 'The people who run the service, and the tokens of programs that manage it.',
    actions: [
      exportLinks(path, { sort: sortParameter(order) }),
      buttonLink('#invite', 'Invite'),
      buttonLink(`${path}/tokens/new`, 'Create token'),
    ],
    content: [
      staffTable(staff, order, request),
      invitationTable(invited, { zone, nowMs, end: `${path}/uninvite` }),
      card(
        'Invite a person',
        [
          html`<p class="quiet">The person gets a link that works once, for 24 hours. Users of partners are invited on
the page of the partner.</p>`,
          form({ fields, ...formParts, action: `${path}/invite`, button: 'Invite' }),
        ],
        { id: 'invite' },
      ),
      tokenCard(tokens, request, order),
      card('Sessions of staff', sessionsOf(sessions, staff, request, order), {
        id: 'sessions',
      }),
      sameElsewhere({
        cli: 'periplus users list\nperiplus sessions list\nperiplus tokens list',
        api: 'GET /admin/v1/users\nGET /admin/v1/sessions\nGET /admin/v1/tokens',
        files: listFiles(path, lists, { sort: sortParameter(order) }),
      }),
    ],
    scripts: ['samples.js'],
  }
}

const staffTable = (staff: readonly User[], order: TableOrder, { user, zone }: PageRequest) =>
  table<User>({
    caption: 'Staff',
    order,
    columns: [
      {
        label: 'Name',
        kind: 'name',
        sort: 'name',
        cell: one => userName(one, one.id === user.id, `${order.path}/${one.id}`),
      },
      {
        label: 'Role',
        sort: 'role',
        cell: ({ staffRole }) => badge(staffRole === 'owner' ? 'info' : 'plain', staffRole!),
      },
      ...userColumns(zone),
    ],
    rows: staff,
  })

/** Reads the open sessions of staff, in an order. */
async function readSessions(
  { identity }: ManagementContext,
  { actor }: PageRequest,
  staff: readonly User[],
  order: ListOrder,
): Promise<readonly Session[]> {
  const found = await listSessions(identity, actor, {})
  const ids = new Set(staff.map(({ id }) => id))
  const own = isAdminFault(found) ? [] : found.filter(({ userId }) => ids.has(userId))
  return sortRows(own, order, sessionOrders)
}

function sessionsOf(
  sessions: readonly Session[],
  staff: readonly User[],
  { zone, nowMs, session, site }: PageRequest,
  order: TableOrder,
) {
  const names = new Map(staff.map(({ id, name, email }) => [id, name ?? email]))
  return sessionTable({
    sessions,
    zone,
    nowMs,
    current: session.id,
    order: { ...order, part: 'sessions' },
    holder: ({ userId }) => names.get(userId),
    end: ({ id, userId }) => buttonForm(linkTo(site, `/console/staff/${userId}/end-sessions`), 'End', { id }),
  })
}

/** Invites staff. */
export async function inviteStaff(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const created = await inviteUser(context.identity, actor, { email: sent.text('email'), role: sent.text('role') })
  if (isAdminFault(created)) return staffPage(context, request, refuseForm(fields, sent, created))
  const answer = { created, to: created.link.email!, title: 'Invitation', next: '/console/staff' }
  return answerWithLink(context, request, answer)
}

/** Withdraws the invitation of a person to staff. */
export async function uninviteStaff(
  { identity }: ManagementContext,
  { form: sent, actor }: PageRequest,
): Promise<PageAnswer> {
  const outcome = await endInvitation(identity, actor, { email: sent.text('email') })
  if (isAdminFault(outcome)) return outcome
  return { redirect: '/console/staff', message: outcome.ended ? 'The invitation was withdrawn.' : 'It had ended.' }
}
