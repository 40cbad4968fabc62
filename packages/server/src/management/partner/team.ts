import { isAdminFault } from '../../domain/admin-fault.ts'
import { pageOrders, sortRows } from '../../domain/list-order.ts'
import type { User } from '../../domain/user.ts'
import { userResource } from '../../resources/user.ts'
import { changeMembership } from '../../usecases/admin/change-user.ts'
import { findUser } from '../../usecases/admin/identity.ts'
import { endInvitation, listInvitations } from '../../usecases/admin/invitations.ts'
import { inviteUser } from '../../usecases/admin/invite-user.ts'
import { listUsers } from '../../usecases/admin/list-users.ts'
import { html } from '../../web/html.ts'
import { card } from '../../web/parts/facts.ts'
import { type Form, form } from '../../web/parts/form.ts'
import { emptyState } from '../../web/parts/notice.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { sortParameter } from '../../web/parts/sort-head.ts'
import { table } from '../../web/parts/table.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import { refuseForm } from '../pages/form-faults.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../pages/page-route.ts'
import { revisionOf } from '../pages/revision.ts'
import { exportFormat, exportLinks, exportRows } from '../shared/export.ts'
import {
  answerWithLink,
  invitationTable,
  inviteFields,
  partnerRoleChoices,
  userColumns,
  userName,
  userOrders,
} from '../shared/people-parts.ts'
import { readSort } from '../shared/sort.ts'
import { memberActions, roleBadge } from './team-member.ts'

const teamPath = ({ partner }: PartnerRequest): string => `/portal/${partner.id}/team`

const fields = inviteFields(partnerRoleChoices, 'member')
const orders = pageOrders({ by: 'name', isDescending: false }, userOrders)

async function teamPage(
  { identity }: ManagementContext,
  request: PartnerRequest,
  refused: Partial<Pick<Form, 'fields' | 'error'>> & { readonly status?: number } = {},
): Promise<PageAnswer> {
  const { actor, partner, may, user, zone, nowMs, site } = request
  const canManage = may('own:team')
  const current = readSort(orders, request)
  if ('title' in current) return current
  const people = sortRows(await listUsers(identity, actor, { partnerId: partner.id }), current, userOrders)
  const format = exportFormat(request)
  if (format) return exportRows('team', format, people.map(userResource))
  const seesInvitations = canManage || user.staffRole !== undefined
  const invited = seesInvitations ? await listInvitations(identity, actor, { partnerId: partner.id }) : []
  const { status, ...formParts } = refused
  const path = linkTo(site, teamPath(request))
  const order = { orders, current, path, filters: {} }
  return {
    ...(status !== undefined && { status }),
    title: 'Team',
    actions: exportLinks(path, { sort: sortParameter(order) }),
    lead: `The people who can open the pages of ${partner.name}.`,
    content: [
      table<User>({
        caption: 'Users',
        order,
        columns: [
          { label: 'Name', kind: 'name', sort: 'name', cell: one => userName(one, one.id === user.id) },
          { label: 'Role', sort: 'role', cell: one => roleBadge(one) },
          ...userColumns(zone),
          { label: 'Actions', kind: 'actions', cell: one => canManage && memberActions(one, path) },
        ],
        rows: people,
        empty: emptyState(
          'No users yet',
          html`<p>The operator invites the first admin, who invites others.</p>`,
          'people',
        ),
      }),
      invitationTable(invited, { zone, nowMs, end: canManage ? `${path}/uninvite` : undefined }),
      canManage &&
        card(
          'Invite a person',
          [
            html`<p class="quiet">The person gets a link that works once, for 24 hours.</p>`,
            form({ fields, ...formParts, action: `${path}/invite`, button: 'Invite' }),
          ],
          { id: 'invite' },
        ),
      sameElsewhere({
        cli: [
          `periplus users list --partner ${partner.id}`,
          `periplus users invite ADDRESS --role member --partner ${partner.id}`,
        ],
        api: 'GET /admin/v1/users',
      }),
    ],
  }
}

async function invite(context: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { form: sent, actor, partner } = request
  const invitation = { email: sent.text('email'), role: sent.text('role'), partnerId: partner.id }
  const created = await inviteUser(context.identity, actor, invitation)
  if (isAdminFault(created)) return teamPage(context, request, refuseForm(fields, sent, created))
  const answer = { created, to: created.link.email!, title: 'Invitation', next: teamPath(request) }
  return answerWithLink(context, request, answer)
}

async function uninvite({ identity }: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { form: sent, actor, partner } = request
  const outcome = await endInvitation(identity, actor, { email: sent.text('email'), partnerId: partner.id })
  if (isAdminFault(outcome)) return outcome
  return { redirect: teamPath(request), message: outcome.ended ? 'The invitation was withdrawn.' : 'It had ended.' }
}

/** Changes the role of a user, or removes the user from the partner. */
const change =
  (removes: boolean) =>
  async ({ identity }: ManagementContext, request: PartnerRequest): Promise<PageAnswer> => {
    const { form: sent, actor, partner } = request
    const found = await findUser(identity, actor, sent.text('user'))
    if (isAdminFault(found)) return found
    const outcome = await changeMembership(identity, actor, {
      id: found.id,
      expectedRevision: revisionOf(sent),
      partnerId: partner.id,
      ...(!removes && { role: sent.text('role') }),
    })
    if (isAdminFault(outcome)) return outcome
    const name = found.name ?? found.email
    const message = removes ? `${name} was removed.` : `${name} has the role ${sent.text('role')} now.`
    return { redirect: teamPath(request), message }
  }

const team = { method: 'POST', permission: 'own:team' } as const

/** The users of a partner, their roles and invitations. */
export const teamPages = [
  partnerPage({ method: 'GET', path: '/team', permission: 'own:read', handler: teamPage }),
  partnerPage({ ...team, path: '/team/invite', proof: true, handler: invite }),
  partnerPage({ ...team, path: '/team/uninvite', handler: uninvite }),
  partnerPage({ ...team, path: '/team/role', proof: true, handler: change(false) }),
  partnerPage({ ...team, path: '/team/remove', proof: true, handler: change(true) }),
]
