import type { Passkey } from '../../domain/credentials.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { mailTypesOf } from '../../usecases/admin/choose-mails.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { card } from '../../web/parts/facts.ts'
import { buttonForm, type Field, form } from '../../web/parts/form.ts'
import { buttonRow } from '../../web/parts/link.ts'
import { badge } from '../../web/parts/notice.ts'
import { formatCount } from '../../web/parts/number.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import { revisionField } from '../pages/revision.ts'
import { sessionTable } from '../shared/sessions.ts'
import type { PortalParts } from './parts.ts'
import { passkeyButton } from './passkey-button.ts'

/** The values that the profile shows. */
export interface Profile {
  readonly parts: PortalParts
  readonly user: User
  readonly session: Session
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly Session[]
  readonly zone: string
  /** Fields of a refused form, by its name. */
  readonly refused?: { readonly task: string; readonly fields: readonly Field[]; readonly error: string | undefined }
}

/** Returns the cards of the profile. */
export const profileCards = (profile: Profile): HtmlValue => [
  accountCard(profile),
  emailCard(profile),
  passwordCard(profile),
  passkeyCard(profile),
  appCard(profile),
  mailCard(profile),
  sessionCard(profile),
  sameElsewhere({
    cli: [
      `periplus users set ${profile.user.email} --name NAME --zone Europe/Madrid`,
      `periplus sessions end --user ${profile.user.email}`,
    ],
    api: `GET /admin/v1/users/${profile.user.id}`,
  }),
]

const actionOf = ({ parts }: Profile, task: string): string => linkTo(parts.site, `/portal/profile/${task}`)

/** Returns the fields of the account. */
export const accountFields = (user: User): Field[] => [
  revisionField(user),
  { name: 'name', label: 'Name', value: user.name, autocomplete: 'name', required: false },
  {
    name: 'zone',
    label: 'Time zone',
    type: 'select',
    value: user.zone ?? '',
    hint: 'All times on these pages are shown in it.',
    choices: [
      { value: '', label: 'Same as the organisation' },
      ...['UTC', ...Intl.supportedValuesOf('timeZone')].map(value => ({ value, label: value })),
    ],
  },
]

/** Returns the field of a new e-mail address. */
export const emailFields = (): Field[] => [
  { name: 'email', label: 'New e-mail address', type: 'email', autocomplete: 'email' },
]

/** Returns the fields of a new password; the name lets password managers store it with the account. */
export const passwordFields = (user: User): Field[] => [
  {
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `12 characters or more, not ${user.email}.`,
  },
]

/** Returns a form of the profile, with what is wrong with it after a refused attempt. */
function taskForm(profile: Profile, task: string, fields: readonly Field[], button: string): Html {
  const { refused } = profile
  const isRefused = refused?.task === task
  return form({
    action: actionOf(profile, task),
    button,
    kind: 'plain',
    fields: isRefused ? refused.fields : fields,
    ...(isRefused && { error: refused.error }),
  })
}

const accountCard = (profile: Profile): Html =>
  card('Account', taskForm(profile, 'account', accountFields(profile.user), 'Save'), { id: 'account' })

const emailCard = (profile: Profile): Html =>
  card(
    'E-mail address',
    [
      html`<p>${profile.user.email}${profile.user.unconfirmed && html` ${badge('warn', 'not confirmed')}`}</p>`,
      profile.user.unconfirmed &&
        html`<p class="quiet">Your invitation did not come by mail, so the first link by mail that signs you in will
remove your password, passkeys and authenticator
app.${profile.parts.hasMail && ' To keep them, enter your current address below and open the link in this browser.'}</p>`,
      profile.parts.hasMail
        ? [
            html`<p class="quiet">You get a link at the new address and open it in this browser; until then nothing
changes.</p>`,
            taskForm(profile, 'email', emailFields(), 'Send a link'),
          ]
        : html`<p class="quiet">This service sends no e-mail, so a new address cannot be confirmed. An invitation to it
creates another account.</p>`,
    ],
    { id: 'email' },
  )

function passwordCard(profile: Profile): Html {
  const [hint, button] = profile.user.factors.password
    ? ['A new password ends your other sessions.', 'Change password']
    : ['You have no password yet.', 'Set password']
  return card(
    'Password',
    [html`<p class="quiet">${hint}</p>`, taskForm(profile, 'password', passwordFields(profile.user), button)],
    { id: 'password' },
  )
}

function passkeyCard(profile: Profile): Html {
  const { parts, passkeys, zone } = profile
  const button = passkeyButton(parts, { kind: 'add', to: '/portal/profile', label: 'Add a passkey' })
  return card(
    'Passkeys',
    [
      html`<p class="quiet">A passkey replaces password and code: this device, a phone or a security key confirms that
it is you.</p>`,
      table<Passkey>({
        caption: 'Passkeys',
        columns: [
          { label: 'Name', kind: 'name', cell: ({ name }) => name },
          { label: 'Added', cell: ({ createdMs }) => time(createdMs, zone, 'day') },
          {
            label: 'Actions',
            kind: 'actions',
            cell: ({ id }) => buttonForm(actionOf(profile, 'passkey-remove'), 'Remove', { id }, 'danger'),
          },
        ],
        rows: passkeys,
        empty: html`<p>You have no passkey yet.</p>`,
      }),
      button ?? html`<p class="quiet">Passkeys need a host name; this service is served at an IP address.</p>`,
      html`<noscript><p class="quiet">Adding a passkey needs JavaScript.</p></noscript>`,
    ],
    { id: 'passkeys' },
  )
}

function appCard(profile: Profile): Html {
  const { totp, recoveryCodes } = profile.user.factors
  const content = totp
    ? [
        html`<p>After the password, you are asked for a code from your app.
${formatCount(recoveryCodes, 'recovery code')} left, for when you do not have your phone.</p>`,
        buttonRow([
          buttonForm(actionOf(profile, 'recovery-codes'), 'Make new recovery codes'),
          buttonForm(actionOf(profile, 'totp-remove'), 'Remove the app', {}, 'danger'),
        ]),
      ]
    : [
        html`<p class="quiet">A code from an app on your phone protects the account even if your password becomes
known.</p>`,
        buttonRow(buttonForm(actionOf(profile, 'totp'), 'Add an authenticator app')),
      ]
  return card('Authenticator app', content, {
    id: 'app',
    actions: totp ? badge('good', 'on') : badge('plain', 'off'),
  })
}

/** Returns the fields of the mails that the user can choose. */
export const mailFields = (user: User): Field[] => {
  const types = mailTypesOf(user).filter(({ isSecurity }) => !isSecurity)
  return [
    revisionField(user),
    {
      name: 'mails',
      label: 'E-mail me when',
      type: 'checkboxes',
      value: types.filter(({ type }) => user.mails?.[type] !== false).map(({ type }) => type),
      choices: types.map(({ type, subject }) => ({ value: type, label: subject })),
    },
  ]
}

function mailCard(profile: Profile): HtmlValue {
  const types = mailTypesOf(profile.user)
  if (types.length === 0) return undefined
  const always = types.filter(({ isSecurity }) => isSecurity).map(({ subject }) => subject.toLowerCase())
  return card(
    'Notifications',
    [
      html`<p class="quiet">Always sent: ${always.join('; ')}.</p>`,
      !profile.parts.hasMail &&
        html`<p class="quiet">This service cannot send e-mail yet. Your choices apply once it can.</p>`,
      taskForm(profile, 'mails', mailFields(profile.user), 'Save'),
    ],
    { id: 'mails' },
  )
}

function sessionCard(profile: Profile): Html {
  const { sessions, session, zone, parts } = profile
  const others = sessions.length > 1
  return card(
    'Sessions',
    sessionTable({
      sessions,
      zone,
      nowMs: parts.identity.clock.nowMs(),
      current: session.id,
      end: ({ id }) => buttonForm(actionOf(profile, 'end-session'), 'End', { id }),
    }),
    {
      id: 'sessions',
      ...(others && { actions: buttonForm(actionOf(profile, 'end-sessions'), 'End all other sessions') }),
    },
  )
}
