import type { Actor } from '../../domain/actor.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import type { User } from '../../domain/user.ts'
import { type Html, html } from '../../web/html.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import type { TargetText } from './audit-targets.ts'
import { actionText } from './change-words.ts'

/** Returns the name of an actor: of a user its name or e-mail address, otherwise its id. */
export const actorName = (id: string, users: readonly User[]): string => {
  const user = users.find(one => one.id === id)
  return user?.name ?? user?.email ?? id
}

/** Returns the name of an actor and the interface that it used. */
export const actorText = ({ id, via }: Pick<Actor, 'id' | 'via'>, users: readonly User[]): Html =>
  html`${actorName(id, users)} <span class="quiet">(${via})</span>`

/** Returns the latest changes as a short table. */
export const timeline = (
  lines: readonly StoredAuditLine[],
  users: readonly User[],
  zone: string,
  targetText: TargetText,
) =>
  table({
    caption: 'Latest changes',
    columns: [
      { label: 'When', cell: ({ atMs }) => time(atMs, zone) },
      { label: 'Change', cell: ({ action }) => actionText(action) },
      { label: 'Target', cell: targetText },
      {
        label: 'By',
        cell: ({ actor }) => actorText(actor, users),
      },
    ],
    rows: lines,
    empty: html`<p class="quiet">No changes yet.</p>`,
  })
