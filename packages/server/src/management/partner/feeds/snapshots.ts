import type { FeedPinChange, Manifest } from '../../../domain/feed.ts'
import type { MemoryOrders } from '../../../domain/list-order.ts'
import { feedSnapshotResource } from '../../../resources/feed-snapshot.ts'
import { formatDateTime } from '../../../resources/schema.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { shortened } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { formatBytes, formatNumber } from '../../../web/parts/number.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import type { DownloadAnswer, PartnerRequest } from '../../pages/page-route.ts'
import { exportLinks, exportRows } from '../../shared/export.ts'

const shownSnapshots = 12

/** Times at which the key began to download snapshots, by feed and id, in milliseconds since 1970. */
export type DownloadTimes = ReadonlyMap<string, number>

export const downloadOf = ({ feed, snapshot_id: id }: Manifest, times: DownloadTimes): number | undefined =>
  times.get(`${feed}/${id}`)

/** Returns a snapshot with the checksum of the records that it leads to, and the time of its download. */
function toExport(manifest: Manifest, times: DownloadTimes): object {
  const atMs = downloadOf(manifest, times)
  return {
    ...feedSnapshotResource(manifest),
    checksum_of_result: manifest.checksum_of_result,
    ...(atMs !== undefined && { downloaded_at: formatDateTime(atMs) }),
  }
}

/** Returns snapshots as a file. */
export const exportSnapshots = (
  format: 'csv' | 'json',
  snapshots: readonly Manifest[],
  times: DownloadTimes,
): DownloadAnswer =>
  exportRows(
    'snapshots',
    format,
    snapshots.map(manifest => toExport(manifest, times)),
  )

/** Returns the size of all files of a snapshot. */
const bytesOf = ({ files }: Manifest): number => files.reduce((sum, file) => sum + file.bytes, 0)

/** The orders of the snapshots. */
export const snapshotOrders = (times: DownloadTimes): MemoryOrders<Manifest> => ({
  built: { first: 'desc', value: ({ created_at: at }) => at },
  snapshot: { first: 'desc', value: ({ snapshot_id: id }) => id },
  feed: { first: 'asc', value: ({ feed }) => feedLabels[feed] },
  kind: { first: 'asc', value: ({ kind }) => kind },
  lines: { first: 'desc', value: ({ records }) => records },
  size: { first: 'desc', value: bytesOf },
  downloaded: { first: 'desc', value: manifest => downloadOf(manifest, times) },
})

/** Options of the table of snapshots. */
interface SnapshotTable {
  readonly times: DownloadTimes
  readonly order: TableOrder
  readonly zone: string
}

/** Returns the first snapshots of the order, and links that export all. */
export const snapshotCard = (snapshots: readonly Manifest[], shown: SnapshotTable): Html =>
  card('Snapshots', html`<div class="dense wide">${snapshotTable(snapshots, shown)}</div>`, {
    id: 'snapshots',
    actions: exportLinks(shown.order.path, { ...shown.order.filters, sort: sortParameter(shown.order) }),
  })

function snapshotTable(snapshots: readonly Manifest[], { times, order, zone }: SnapshotTable): HtmlValue {
  return table<Manifest>({
    caption: 'Snapshots of the pinned versions',
    order: { ...order, part: 'snapshots' },
    columns: [
      { label: 'Snapshot', sort: 'snapshot', kind: 'name', cell: ({ snapshot_id: id }) => html`<code>${id}</code>` },
      { label: 'Feed', sort: 'feed', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Kind', sort: 'kind', cell: ({ kind }) => kind },
      { label: 'Lines', sort: 'lines', kind: 'number', cell: ({ records }) => formatNumber(records) },
      {
        label: 'Size',
        sort: 'size',
        kind: 'number',
        cell: manifest => formatBytes(bytesOf(manifest)),
      },
      {
        label: 'SHA-256',
        cell: ({ checksum_of_result: sum, snapshot_id: id }) => shortened(sum, `the checksum of ${id}`),
      },
      { label: 'Built', sort: 'built', cell: ({ created_at: at }) => time(Date.parse(at), zone) },
      {
        label: 'Downloaded',
        sort: 'downloaded',
        cell: manifest => {
          const atMs = downloadOf(manifest, times)
          return atMs === undefined ? html`<span class="quiet">Not in 90 days</span>` : time(atMs, zone)
        },
      },
    ],
    rows: snapshots.slice(0, shownSnapshots),
    empty: html`<p class="quiet">The operator has built no snapshot of these versions yet.</p>`,
  })
}

export const moveTable = (history: readonly FeedPinChange[], { zone }: Pick<PartnerRequest, 'zone'>): HtmlValue =>
  table<FeedPinChange>({
    caption: 'Moves of pins, newest first',
    columns: [
      { label: 'Feed', kind: 'name', cell: ({ feed }) => feedLabels[feed] },
      { label: 'From', cell: ({ from }) => from },
      { label: 'To', cell: ({ to }) => to },
      { label: 'When', cell: ({ atMs }) => time(atMs, zone) },
    ],
    rows: history.toReversed().slice(0, shownSnapshots),
  })
