import type { Actor } from '../../domain/actor.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import type { User } from '../../domain/user.ts'
import { listUsers } from '../../usecases/admin/list-users.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import type { TableOrder } from '../../web/parts/sort-head.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { isOfPartner, readTargets } from './audit-targets.ts'
import { actionText, changedMembers } from './change-words.ts'
import { otherName } from './key-history.ts'
import { actorName } from './timeline.ts'

/** Returns lines of the audit as a table, with the names of users and keys. */
export async function auditTable(
  context: ManagementContext,
  request: PageRequest,
  rows: readonly StoredAuditLine[],
  order?: TableOrder,
): Promise<HtmlValue> {
  const users = await listUsers(context.identity, request.actor, {})
  const targetText = await readTargets(context, request, rows, users)
  return table<StoredAuditLine>({
    caption: order?.current.isDescending === false ? 'Changes, oldest first' : 'Changes, newest first',
    order,
    columns: [
      { label: 'When', sort: 'time', cell: ({ atMs }) => time(atMs, request.zone, 'second') },
      {
        label: 'Change',
        kind: 'name',
        cell: line => [
          html`${actionText(line.action)} <code class="quiet">${line.action}</code>`,
          changedMembers(line, request.zone),
        ],
      },
      { label: 'Target', cell: targetText },
      { label: 'By', cell: ({ actor }) => byText(actor, users, request) },
      {
        label: 'Request',
        cell: ({ actor: { requestId } }) =>
          requestId !== undefined && html`<code class="whole" title="${requestId}">…${requestId.slice(-6)}</code>`,
      },
    ],
    rows,
  })
}

function byText(actor: Actor, users: readonly User[], request: PageRequest): Html {
  const name = isOfPartner(request) && actor.kind !== 'user' ? otherName(actor) : actorName(actor.id, users)
  const address = actor.address !== undefined && html`<span class="datum quiet">${actor.address}</span>`
  return html`${name} <span class="quiet">(${actor.via})</span>${address}`
}
