import type { StaffRole } from '../../domain/admin-permission.ts'
import type { MemoryOrders } from '../../domain/list-order.ts'
import type { Link } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import type { CreatedLink } from '../../usecases/admin/invite-user.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card } from '../../web/parts/facts.ts'
import { buttonForm, type Choice, type Field } from '../../web/parts/form.ts'
import { buttonLink, link } from '../../web/parts/link.ts'
import { badge } from '../../web/parts/notice.ts'
import { type Column, table } from '../../web/parts/table.ts'
import { time, timeDistance } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext, SentLink } from '../context.ts'
import type { PageAnswer, PageRequest } from '../pages/page-route.ts'
import type { PageView } from '../pages/page-view.ts'

/** The roles of a partner's users as choices. */
export const partnerRoleChoices: readonly Choice[] = [
  { value: 'admin', label: 'Admin', hint: 'Creates keys, moves feed pins, requests upgrades, and invites others.' },
  { value: 'member', label: 'Member', hint: 'Reads all pages and makes test keys.' },
]

/** The roles of staff as choices. */
export const staffRoleChoices: readonly (Choice & { readonly value: StaffRole })[] = [
  {
    value: 'owner',
    label: 'Owner',
    hint: 'Can do everything; the only role that manages staff, tokens, backups and erasures.',
  },
  { value: 'operator', label: 'Operator', hint: 'Manages partners, keys, data and requests.' },
  { value: 'support', label: 'Support', hint: 'Reads everything, writes notes, and opens the pages of partners.' },
]

/** Returns the fields of an invitation. */
export const inviteFields = (choices: readonly Choice[], role: string): Field[] => [
  { name: 'email', label: 'E-mail address', type: 'email' },
  { name: 'role', label: 'Role', type: 'radio', value: role, choices },
]

/** The orders of a list of users. */
export const userOrders: MemoryOrders<User> = {
  name: { first: 'asc', value: ({ name, email }) => name ?? email },
  role: { first: 'asc', value: ({ staffRole, memberships: [membership] }) => staffRole ?? membership?.role },
  last_sign_in: { first: 'desc', value: ({ lastSignInMs }) => lastSignInMs },
}

/** Returns the columns that every list of users has. */
export const userColumns = (zone: string): Column<User>[] => [
  {
    label: 'Second factor',
    cell: ({ factors }) =>
      factors.passkeys > 0 ? 'Passkey' : factors.totp ? 'Authenticator app' : html`<span class="quiet">None</span>`,
  },
  {
    label: 'Last sign-in',
    sort: 'last_sign_in',
    cell: ({ lastSignInMs }) =>
      lastSignInMs === undefined ? html`<span class="quiet">Never</span>` : time(lastSignInMs, zone),
  },
]

/**
 * Returns name and e-mail address of a user, with what is unusual about the account. With `href`, the name is a link.
 */
export function userName({ name, email, state, unconfirmed }: User, isReader: boolean, href?: string): Html {
  const text = name ?? email
  const parts = [
    href === undefined ? text : link(href, text),
    isReader && html` ${badge('info', 'you')}`,
    state === 'disabled' && html` ${badge('warn', 'disabled')}`,
    unconfirmed && html` ${badge('plain', 'address not confirmed')}`,
    name !== undefined && html`<br><span class="quiet small">${email}</span>`,
  ]
  return html`${parts}`
}

/** Returns the open invitations; `end` is the action that withdraws one. Without invitations, it returns nothing. */
export const invitationTable = (
  links: readonly Link[],
  { zone, nowMs, end }: { readonly zone: string; readonly nowMs: number; readonly end: string | undefined },
): HtmlValue =>
  links.length > 0 &&
  card(
    'Open invitations',
    table<Link>({
      caption: 'Open invitations',
      columns: [
        { label: 'E-mail', kind: 'name', cell: ({ email }) => email },
        { label: 'Role', cell: ({ role }) => role },
        { label: 'Sent', cell: ({ createdMs }) => time(createdMs, zone) },
        { label: 'Ends', cell: ({ expiresMs }) => timeDistance(expiresMs, nowMs) },
        {
          label: 'Actions',
          kind: 'actions',
          cell: ({ email = '' }) => end !== undefined && buttonForm(end, 'Withdraw', { email }),
        },
      ],
      rows: links,
    }),
  )

/** A link that was made for a person. */
export interface LinkAnswer {
  readonly created: CreatedLink
  readonly to: string
  readonly title: string
  /** Path below the base path to which the reader continues. */
  readonly next: string
  readonly trail?: NonNullable<PageView['trail']>
}

/** Sends a link by mail and leads on; where that is not possible, to a page that shows the link once. */
export async function answerWithLink(
  context: ManagementContext,
  { zone, site }: PageRequest,
  { created, to, title, next, trail = [] }: LinkAnswer,
): Promise<PageAnswer> {
  const { url, mail } = await context.sendLink(created, to)
  if (mail === 'sent') return { redirect: next, message: `The link was sent to ${to}.` }
  const { expiresMs } = created.link
  const content = card(to, [
    html`<p>${mailText[mail]} Give this link to the person. It works once, until ${time(expiresMs, zone)}, and is not
shown again.${created.link.purpose === 'invitation' && ' The address counts as unconfirmed until the person opens a link that came by mail, which removes what the account has until then.'}</p>`,
    codeBlock(url),
    html`<p class="buttons">${buttonLink(linkTo(site, next), 'Done', { kind: 'primary' })}</p>`,
  ])
  return { redirect: next, once: { title, trail, scripts: ['samples.js'], content } }
}

const mailText: Readonly<Record<Exclude<SentLink['mail'], 'sent'>, string>> = {
  unset: 'No mail server is configured.',
  failed: 'The mail could not be sent.',
}
