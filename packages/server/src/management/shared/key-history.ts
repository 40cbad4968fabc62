import type { Actor } from '../../domain/actor.ts'
import { isAdminFault } from '../../domain/admin-fault.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import type { User } from '../../domain/user.ts'
import { listAudit } from '../../usecases/admin/list-audit.ts'
import { listUsers } from '../../usecases/admin/list-users.ts'
import { type HtmlValue, html } from '../../web/html.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'

const maxLines = 20

/** Changes in the words of pages, by action of the audit. */
const changes: Readonly<Record<string, string>> = {
  'key.create': 'Created',
  'key.change': 'Changed',
  'key.rotate': 'Rotated',
  'key.end_secret': 'Secret ended',
  'key.enable': 'Enabled',
  'key.disable': 'Disabled',
  'key.revoke': 'Revoked',
  'pin.move': 'Feed pin moved',
  'pin.undo': 'Feed pin moved back',
}

/** Members of the audit whose names readers would not know; notes belong to the operator. */
const memberNames: Readonly<Record<string, string | undefined>> = {
  expires_ms: 'end',
  add_ons: 'add-ons',
  agreement: 'agreed limits',
  notes: undefined,
  state: undefined,
  secret_id: undefined,
  end_ms: undefined,
}

/** Returns the latest changes of a key with their authors, as far as the reader may know them. */
export async function keyHistory(
  { audit, identity }: ManagementContext,
  { actor, zone, user }: Pick<PageRequest, 'actor' | 'zone' | 'user'>,
  keyId: string,
): Promise<HtmlValue> {
  const page = await listAudit({ audit, people: identity.people }, actor, { target: keyId, limit: maxLines })
  if (isAdminFault(page)) return undefined
  const users = await listUsers(identity, actor, {})
  const names = new Map(users.map(({ id, name, email }) => [id, id === user.id ? 'You' : (name ?? email)]))
  for (const { actor: by } of page.lines)
    if (by.kind === 'user' && !names.has(by.id)) names.set(by.id, unlistedName(await identity.people.users.get(by.id)))
  return table<StoredAuditLine>({
    caption: 'Changes of the key, newest first',
    columns: [
      { label: 'Change', kind: 'name', cell: ({ action }) => changes[action] ?? action },
      { label: 'When', cell: ({ atMs }) => time(atMs, zone) },
      { label: 'Details', cell: line => describe(line, zone) },
      { label: 'By', cell: ({ actor: by }) => names.get(by.id) ?? otherName(by) },
    ],
    rows: page.lines,
  })
}

/** Returns the name of an actor who is not a user of the partner. Partners do not see the names of staff. */
export const otherName = ({ kind }: Pick<Actor, 'kind'>): string => (kind === 'token' ? 'Admin token' : 'Operator')

/** Returns the name of a user whom the reader does not see among the users; undefined: the user was erased. */
function unlistedName(user: User | undefined): string {
  if (!user) return 'Erased user'
  return user.staffRole === undefined ? 'Former member' : 'Operator'
}

function describe({ action, before = {}, after = {} }: StoredAuditLine, zone: string): HtmlValue {
  if (action === 'key.create') return undefined
  const { others_expire_ms: endMs } = after
  if (typeof endMs === 'number') return html`Earlier secrets until ${time(endMs, zone)}`
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .map(name => (name in memberNames ? memberNames[name] : name.replaceAll('_', ' ')))
    .filter(name => name !== undefined)
    .join(', ')
}
