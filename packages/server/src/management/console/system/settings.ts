import { type EffectiveSetting, settingsResource } from '../../../resources/config.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { tabs } from '../../../web/parts/tabs.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'

const path = '/console/settings'

/** Shows all settings with value and origin, or those that differ from their default, and the result of their check. */
export async function settingsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { query, site, may } = request
  const all = query.show === 'all'
  const shown = context.settings.filter(({ source }) => all || source !== 'default')
  const format = exportFormat(request)
  if (format) return exportRows('settings', format, settingsResource(shown).settings)
  const { warnings, defaultVersion } = context.checkConfig()
  const here = linkTo(site, path)
  return {
    title: 'Settings',
    actions: exportLinks(here, { show: query.show }),
    lead: 'From periplus.yaml, the environment and flags, as the service runs with them. Secrets are masked.',
    content: [
      warnings.length === 0
        ? notice(
            'good',
            html`<p>The check of the configuration has no warnings. The default version is ${defaultVersion}.</p>`,
          )
        : notice('warn', html`<ul>${warnings.map(one => html`<li><code>${one.path}</code>: ${one.text}</li>`)}</ul>`),
      tabs('Settings', [
        { label: 'Changed', href: here, isCurrent: !all },
        { label: 'All', href: `${here}?show=all`, isCurrent: all },
      ]),
      all ? sections(shown) : settingTable(shown),
      may('system:write') && testsCard(context, request),
      sameElsewhere({ cli: 'periplus config print\nperiplus config check', api: 'GET /admin/v1/config' }),
    ],
  }
}

/** Returns the settings by section, folded. */
const sections = (rows: readonly EffectiveSetting[]): Html =>
  html`${[...Map.groupBy(rows, ({ setting }) => setting.split('.')[0]!)].map(
    ([name, some]) =>
      html`<details class="section"><summary><code>${name}</code>
<span class="quiet">${formatCount(some.length, 'setting')}</span></summary>${settingTable(some)}</details>\n`,
  )}`

const settingTable = (rows: readonly EffectiveSetting[]) =>
  table<EffectiveSetting>({
    caption: 'Settings',
    columns: [
      { label: 'Setting', kind: 'name', cell: ({ setting }) => html`<code>${setting}</code>` },
      { label: 'Value', cell: ({ value }) => html`<span class="datum">${valueText(value)}</span>` },
      { label: 'Origin', cell: ({ source }) => source },
    ],
    rows,
    empty: html`<p class="quiet">All settings have their defaults.</p>`,
  })

const valueText = (value: unknown): string => {
  if (value === undefined) return 'not set'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const noProvider = 'No OpenID Connect provider is configured (management.oidc.issuer).'

/** Tests of the mail server and the OpenID Connect provider. */
const testsCard = ({ hasMail, oidc }: ManagementContext, { site, user }: PageRequest): Html =>
  card('Tests', [
    html`<p>${hasMail ? html`Sends an e-mail to ${user.email}.` : 'No mail server is configured (mail.host).'}</p>`,
    hasMail && html`<p>${buttonForm(linkTo(site, `${path}/test-mail`), 'Send a test e-mail')}</p>`,
    html`<p>${oidc ? 'Reads the metadata of the OpenID Connect provider.' : noProvider}</p>`,
    oidc && html`<p>${buttonForm(linkTo(site, `${path}/test-oidc`), 'Test the provider')}</p>`,
  ])

/** Redirects to the settings, which show the result of a test once. */
const result = (isGood: boolean, text: string): PageAnswer => ({
  redirect: path,
  once: {
    title: 'Result of the test',
    trail: [{ path, label: 'Settings' }],
    content: notice(isGood ? 'good' : 'bad', html`<p>${text}</p>`, isGood ? 'status' : 'alert'),
  },
})

/** Sends a mail to the user who asks for it. */
export async function testMail(context: ManagementContext, { user }: PageRequest): Promise<PageAnswer> {
  const outcome = await context.sendTestMail(user.email)
  if (outcome === 'sent') return result(true, `The mail server accepted a mail to ${user.email}.`)
  return result(
    false,
    outcome === 'unset'
      ? 'No mail server is configured. Set mail.host and mail.from.'
      : 'The mail server did not accept the mail. Check mail.host, mail.port, mail.user and mail.passwordFile.',
  )
}

/** Reads the metadata of the OpenID Connect provider. */
export async function testOidc({ oidc, publicUrl }: ManagementContext): Promise<PageAnswer> {
  if (!oidc) return result(false, 'No provider is configured. Set management.oidc.issuer and management.oidc.clientId.')
  const started = await oidc.start(`${publicUrl}/portal/sign-in/openid/callback`, false)
  return started
    ? result(true, 'The provider answered. The secret of the client is checked by the first sign-in.')
    : result(false, 'The provider did not answer as expected. Check management.oidc.issuer; the log has the code.')
}
