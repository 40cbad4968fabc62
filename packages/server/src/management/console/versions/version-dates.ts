import { minNoticeDays, parseLifecycleDate, type ServedVersion } from '../../../domain/lifecycle.ts'
import { dayMs } from '../../../kit/time.ts'
import type { VersionUser } from '../../../usecases/admin/version-users.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { queryForm } from '../../../web/parts/form.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'

/** Returns the form that turns dates into settings to paste: pages never change the configuration. */
export function datesCard(
  versions: readonly ServedVersion[],
  users: ReadonlyMap<string, readonly VersionUser[]>,
  { query, site }: PageRequest,
): Html {
  const { version, deprecated, sunset } = query
  const known = versions.find(({ name }) => name === version)
  const errors = { deprecated: dateError(deprecated), sunset: sunsetError(deprecated, sunset) }
  const isValid = known !== undefined && errors.deprecated === undefined && errors.sunset === undefined
  const hasDate = deprecated !== undefined || sunset !== undefined
  return card(
    'Plan the sunset of a version',
    [
      html`<p class="quiet">Dates are settings. This shows what to paste into the config file; the service reads it at
its next start.</p>`,
      queryForm(`${linkTo(site, '/console/versions')}#dates`, 'Show settings', [
        {
          name: 'version',
          label: 'Version',
          type: 'select',
          value: version ?? versions[0]?.name,
          choices: versions.map(({ name }) => ({ value: name, label: name })),
        },
        {
          name: 'deprecated',
          label: 'Deprecated on',
          type: 'date',
          value: deprecated,
          required: false,
          error: errors.deprecated,
        },
        { name: 'sunset', label: 'Sunset', type: 'date', value: sunset, required: false, error: errors.sunset },
      ]),
      isValid && hasDate && settings(known.name, { deprecated, sunset }, users.get(known.name) ?? []),
    ],
    { id: 'dates' },
  )
}

interface Dates {
  readonly deprecated: string | undefined
  readonly sunset: string | undefined
}

/** Returns the settings for dates, with what they mean for the partners that use the version today. */
function settings(name: string, { deprecated, sunset }: Dates, users: readonly VersionUser[]): HtmlValue {
  const lines = [
    'versions:',
    `  "${name}":`,
    ...(deprecated === undefined ? [] : [`    deprecated: "${deprecated}"`]),
    ...(sunset === undefined ? [] : [`    sunset: "${sunset}"`]),
  ]
  const partners = new Set(users.map(({ key }) => key.partnerId)).size
  const calls = users.reduce((sum, one) => sum + one.calls, 0)
  return html`${
    isShort(deprecated, sunset) &&
    notice(
      'warn',
      html`<p>The two dates are fewer than ${minNoticeDays} days
apart. Partners expect a year to migrate.</p>`,
    )
  }
${
  sunset !== undefined &&
  partners > 0 &&
  notice(
    'info',
    html`<p>If it were retired today, ${formatCount(partners, 'partner')} with
${formatNumber(calls)} calls in 30 days would get 410. Partners are notified 180, 90, 30, 7 and 1 days before the
date.</p>`,
  )
}
${codeBlock(lines.join('\n'), 'periplus.yaml')}<p class="quiet small">Check the file with
<code>periplus config check</code>, then restart the service.</p>`
}

const dateError = (text: string | undefined): string | undefined =>
  text !== undefined && parseLifecycleDate(text) === undefined ? 'Enter a date such as 2027-06-30.' : undefined

function sunsetError(deprecated: string | undefined, sunset: string | undefined): string | undefined {
  const wrong = dateError(sunset)
  if (wrong !== undefined || deprecated === undefined || sunset === undefined) return wrong
  const [from, to] = [parseLifecycleDate(deprecated), parseLifecycleDate(sunset)]
  return from !== undefined && to !== undefined && to < from
    ? 'The sunset is on or after the day on which the version is deprecated.'
    : undefined
}

function isShort(deprecated: string | undefined, sunset: string | undefined): boolean {
  if (sunset === undefined) return false
  const from = deprecated === undefined ? undefined : parseLifecycleDate(deprecated)
  return from === undefined || (parseLifecycleDate(sunset) ?? 0) - from < minNoticeDays * dayMs
}
