import type { User } from '../../domain/user.ts'
import { type Html, html } from '../../web/html.ts'
import { confirm } from '../../web/parts/confirm.ts'
import { buttonForm } from '../../web/parts/form.ts'
import { badge } from '../../web/parts/notice.ts'

const roleOf = ({ memberships: [membership] }: User) => membership?.role ?? 'member'

/** Returns the role of a user in the team. */
export const roleBadge = (user: User): Html =>
  roleOf(user) === 'admin' ? badge('info', 'Admin') : badge('plain', 'Member')

/** Returns the forms that change the role of a user or remove the user; `path` is the page of the team. */
export function memberActions(user: User, path: string): Html {
  const hidden = { user: user.id, revision: String(user.revision) }
  const [role, label] = roleOf(user) === 'admin' ? ['member', 'Make member'] : ['admin', 'Make admin']
  return html`${buttonForm(`${path}/role`, label!, { ...hidden, role: role! })} ${confirm({
    label: 'Remove',
    button: `Remove ${user.name ?? user.email}`,
    action: `${path}/remove`,
    hidden,
    question: 'The person can no longer open these pages. Keys and their secrets stay as they are.',
  })}`
}
