import { isAdminFault } from '../../../domain/admin-fault.ts'
import { feedNames } from '../../../domain/feed.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import type { PinnedKey } from '../../../usecases/admin/list-pins.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { keyName } from '../../shared/key-parts.ts'
import { readNames } from '../../shared/names.ts'

const downloadDays = 30

/** Returns the table of the keys that may download feeds, with the files that they have downloaded. */
export async function downloaderTable(
  context: ManagementContext,
  request: PageRequest,
  pins: readonly PinnedKey[],
): Promise<HtmlValue> {
  const { usage } = context
  const { actor, nowMs, site } = request
  const fromMs = startOfUtcDay(nowMs - downloadDays * dayMs)
  const downloads = { operation: 'downloadFeedFile', by: ['key', 'day', 'status'], countedOnly: true } as const
  const report = await reportUsage(usage, actor, { ...downloads, fromMs })
  const rows = (isAdminFault(report) ? [] : report.rows).filter(({ status }) => Number(status) < 300)
  const partners = await readNames(
    context,
    request,
    'partner',
    pins.map(({ key }) => key.partnerId),
  )
  const downloadsOf = (id: string) => rows.filter(({ key }) => key === id)
  return table<PinnedKey>({
    caption: 'Keys that may download feeds',
    columns: [
      {
        label: 'Key',
        kind: 'name',
        cell: ({ key }) => link(linkTo(site, `/console/partners/${key.partnerId}/keys/${key.id}`), keyName(key)),
      },
      { label: 'Partner', cell: ({ key }) => partners.get(key.partnerId) ?? key.partnerId },
      {
        label: 'Pins',
        cell: ({ key }) => feedNames.map(feed => html`<div>${feedLabels[feed]}: ${key.feedPins[feed]}</div>`),
      },
      {
        label: `Files in ${downloadDays} days`,
        kind: 'number',
        cell: ({ key }) => formatNumber(downloadsOf(key.id).reduce((sum, { calls }) => sum + calls, 0)),
      },
      {
        label: 'Last download',
        cell: ({ key }) => {
          const last = downloadsOf(key.id)
            .map(({ day }) => String(day))
            .sort()
            .at(-1)
          return last === undefined ? badge('plain', 'none') : time(Date.parse(last), 'UTC', 'day')
        },
      },
    ],
    rows: pins,
    empty: html`<p class="quiet">No key can download feeds. Live keys with the add-on feeds and without a scope
can.</p>`,
  })
}
