import { type AdminToken, tokenState } from '../../../domain/admin-token.ts'
import { type ListOrder, type MemoryOrders, sortRows } from '../../../domain/list-order.ts'
import { tokenPermissions } from '../../../identity/permissions.ts'
import { type Html, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { dayText, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'

const states = {
  active: badge('good', 'Active'),
  expired: badge('warn', 'Ended'),
  revoked: badge('bad', 'Revoked'),
} as const

/** The orders of the list of tokens. */
export const tokenOrders: MemoryOrders<AdminToken> = {
  token: { first: 'asc', value: ({ name }) => name },
  last_used: { first: 'desc', value: ({ lastUsedDay }) => lastUsedDay },
  ends: { first: 'asc', value: ({ expiresMs }) => expiresMs },
}

/** Sorts tokens, the newest first by default. */
export const sortTokens = (tokens: readonly AdminToken[], order: ListOrder): readonly AdminToken[] =>
  sortRows(
    tokens.toSorted((a, b) => b.createdMs - a.createdMs),
    order,
    tokenOrders,
  )

/** Returns the list of sorted tokens. */
export const tokenCard = (tokens: readonly AdminToken[], { site, zone, nowMs }: PageRequest, order: TableOrder): Html =>
  card(
    'Tokens of the admin API',
    table<AdminToken>({
      caption: 'Tokens',
      order: { ...order, part: 'tokens' },
      columns: [
        {
          label: 'Name',
          kind: 'name',
          sort: 'token',
          cell: ({ name, id }) => html`${name}<br><span class="quiet small">${id}</span>`,
        },
        { label: 'Permissions', cell: permissionsText },
        { label: 'Partner', cell: ({ partnerId }) => partnerId ?? 'All' },
        { label: 'Last used', sort: 'last_used', cell: ({ lastUsedDay }) => dayText(lastUsedDay) },
        { label: 'Ends', sort: 'ends', cell: ({ expiresMs }) => time(expiresMs, zone, 'day') },
        { label: 'State', cell: token => states[tokenState(token, nowMs)] },
        {
          label: 'Actions',
          kind: 'actions',
          cell: token => tokenState(token, nowMs) === 'active' && revokeForm(token, linkTo(site, '/console/staff')),
        },
      ],
      rows: tokens,
      empty: html`<p class="quiet">No tokens yet. A program sends one to use the admin API.</p>`,
    }),
    {
      id: 'tokens',
      actions: buttonLink(linkTo(site, '/console/staff/tokens/new'), 'Create token'),
    },
  )

const permissionsText = ({ permissions }: AdminToken): Html | string =>
  permissions.length === tokenPermissions.length
    ? 'All'
    : html`<details><summary>${permissions.length}</summary>${permissions.join(', ')}</details>`

const revokeForm = ({ id, name }: AdminToken, path: string): Html =>
  confirm({
    label: 'Revoke',
    button: `Revoke ${name}`,
    action: `${path}/tokens/revoke`,
    hidden: { id },
    question: 'All further requests with this token are refused. This cannot be undone.',
  })
