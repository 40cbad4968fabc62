import { isAdminFault } from '../../../domain/admin-fault.ts'
import { feedNames } from '../../../domain/feed.ts'
import type { Key } from '../../../domain/key.ts'
import type { MemoryOrders } from '../../../domain/list-order.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import type { PinnedKey } from '../../../usecases/admin/list-pins.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { dayText } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { keyName } from '../../shared/key-parts.ts'
import { readNames } from '../../shared/names.ts'

const downloadDays = 30

/** A key that may download feeds, and its downloads of the last days. */
export interface Downloader {
  readonly key: Key
  readonly partner: string
  readonly files: number
  /** UTC day of the last download. */
  readonly lastDay: string | undefined
}

/** The orders of the table of keys. */
export const downloaderOrders: MemoryOrders<Downloader> = {
  key: { first: 'asc', value: ({ key }) => keyName(key) },
  partner: { first: 'asc', value: ({ partner }) => partner },
  files: { first: 'desc', value: ({ files }) => files },
  last_download: { first: 'desc', value: ({ lastDay }) => lastDay },
}

/** Reads the keys that may download feeds, with the files that they have downloaded. */
export async function readDownloaders(
  context: ManagementContext,
  request: PageRequest,
  pins: readonly PinnedKey[],
): Promise<readonly Downloader[]> {
  const { usage } = context
  const { actor, nowMs } = request
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
  return pins.map(({ key }) => {
    const own = rows.filter(one => one.key === key.id)
    const days = own.map(({ day }) => String(day)).sort()
    const files = own.reduce((sum, { calls }) => sum + calls, 0)
    return { key, partner: partners.get(key.partnerId) ?? key.partnerId, files, lastDay: days.at(-1) }
  })
}

/** Returns a key as the export has it. */
export const downloaderExport = ({ key, files, lastDay }: Downloader): object => ({
  key: key.id,
  partner: key.partnerId,
  ...key.feedPins,
  files,
  last_download: lastDay,
})

/** Returns the pins of a key, in one line if they are the same for all feeds. */
function pinsText({ feedPins }: Key): HtmlValue {
  const [first] = feedNames
  return feedNames.every(feed => feedPins[feed] === feedPins[first])
    ? `All feeds: ${feedPins[first]}`
    : feedNames.map(feed => html`<div>${feedLabels[feed]}: ${feedPins[feed]}</div>`)
}

/** Returns the table of the keys that may download feeds. */
export const downloaderTable = (rows: readonly Downloader[], order: TableOrder, { site }: PageRequest): HtmlValue =>
  table<Downloader>({
    caption: 'Keys that may download feeds',
    order: { ...order, part: 'downloads' },
    columns: [
      {
        label: 'Key',
        kind: 'name',
        sort: 'key',
        cell: ({ key }) => link(linkTo(site, `/console/partners/${key.partnerId}/keys/${key.id}`), keyName(key)),
      },
      { label: 'Partner', sort: 'partner', cell: ({ partner }) => partner },
      {
        label: 'Pins',
        cell: ({ key }) => pinsText(key),
      },
      {
        label: `Files in ${downloadDays} days`,
        kind: 'number',
        sort: 'files',
        cell: ({ files }) => formatNumber(files),
      },
      {
        label: 'Last download',
        sort: 'last_download',
        cell: ({ lastDay }) => dayText(lastDay),
      },
    ],
    rows,
    empty: html`<p class="quiet">No key can download feeds. Live keys with the add-on feeds and without a scope
can.</p>`,
  })
