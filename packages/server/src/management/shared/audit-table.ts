import type { Actor } from '../../domain/actor.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import type { User } from '../../domain/user.ts'
import { listUsers } from '../../usecases/admin/list-users.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { link } from '../../web/parts/link.ts'
import type { TableOrder } from '../../web/parts/sort-head.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { actionText, changedMembers } from './change-words.ts'
import { otherName } from './key-history.ts'
import { readNames } from './names.ts'
import { actorName } from './timeline.ts'

/** True if the reader sees the changes of one partner only. */
export const isOfPartner = ({ visibility }: Pick<PageRequest, 'visibility'>): boolean => !('all' in visibility)

interface Names {
  readonly users: readonly User[]
  readonly keys: ReadonlyMap<string, string>
  readonly partners: ReadonlyMap<string, string>
}

/** Returns lines of the audit as a table, with the names of users and keys. */
export async function auditTable(
  context: ManagementContext,
  request: PageRequest,
  rows: readonly StoredAuditLine[],
  order?: TableOrder,
): Promise<HtmlValue> {
  const keyIds = rows.map(({ target }) => target).filter(isKeyId)
  const partnerIds = rows.filter(isAboutPartner).map(({ target }) => target)
  const names: Names = {
    users: await listUsers(context.identity, request.actor, {}),
    keys: await readNames(context, request, 'key', keyIds),
    partners: await readNames(context, request, 'partner', partnerIds),
  }
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
      { label: 'Target', cell: line => targetOf(line, names, request) },
      { label: 'By', cell: ({ actor }) => byText(actor, names, request) },
      {
        label: 'Request',
        cell: ({ actor: { requestId } }) =>
          requestId !== undefined && html`<code class="whole" title="${requestId}">…${requestId.slice(-6)}</code>`,
      },
    ],
    rows,
  })
}

const isAboutPartner = ({ target, partnerId }: StoredAuditLine): boolean => target === partnerId

const isKeyId = (id: string): boolean => id.startsWith('key_')

/** Returns the name of a target, with a link where it has a page. */
function targetOf(line: StoredAuditLine, { users, keys, partners }: Names, request: PageRequest): Html | string {
  const { target, partnerId } = line
  const folder = isOfPartner(request) ? '/portal' : '/console/partners'
  const to = (path: string, text: string) => link(linkTo(request.site, path), text)
  if (isKeyId(target) && partnerId !== undefined)
    return to(`${folder}/${partnerId}/keys/${target}`, keys.get(target) ?? target)
  if (isAboutPartner(line)) return to(`${folder}/${target}`, partners.get(target) ?? target)
  const name = actorName(target, users)
  return name === target ? html`<span class="id">${target}</span>` : name
}

function byText(actor: Actor, { users }: Names, request: PageRequest): Html {
  const name = isOfPartner(request) && actor.kind !== 'user' ? otherName(actor) : actorName(actor.id, users)
  const address = actor.address !== undefined && html`<span class="datum quiet">${actor.address}</span>`
  return html`${name} <span class="quiet">(${actor.via})</span>${address}`
}
