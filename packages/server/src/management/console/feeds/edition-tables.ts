import { type FeedName, feedNames, type Manifest } from '../../../domain/feed.ts'
import type { MemoryOrders } from '../../../domain/list-order.ts'
import type { PinnedKey } from '../../../usecases/admin/list-pins.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { formatBytes, formatNumber } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { feedsPath } from './feeds-path.ts'

const shownSnapshots = 20

const sizeOf = ({ files }: Manifest): number => files.reduce((sum, file) => sum + file.bytes, 0)

/** A row of the table of editions. */
export interface EditionRow {
  readonly feed: FeedName
  readonly version: string
  readonly snapshots: readonly Manifest[]
  readonly pins: number
}

const builtMs = ({ created_at: at }: Manifest): number => Date.parse(at)
const bytesOf = ({ snapshots }: EditionRow): number => snapshots.reduce((sum, one) => sum + sizeOf(one), 0)

/** The orders of the table of editions. */
export const editionOrders: MemoryOrders<EditionRow> = {
  feed: { first: 'asc', value: ({ feed }) => feedNames.indexOf(feed) },
  newest: { first: 'desc', value: ({ snapshots }) => (snapshots.length > 0 ? builtMs(snapshots.at(-1)!) : undefined) },
  records: { first: 'desc', value: ({ snapshots }) => snapshots.at(-1)?.records_of_result ?? 0 },
  snapshots: { first: 'desc', value: ({ snapshots }) => snapshots.length },
  size: { first: 'desc', value: bytesOf },
  pins: { first: 'desc', value: ({ pins }) => pins },
}

/** The orders of the table of snapshots. */
export const snapshotOrders: MemoryOrders<Manifest> = {
  built: { first: 'desc', value: builtMs },
  lines: { first: 'desc', value: ({ records }) => records },
  snapshot_size: { first: 'desc', value: sizeOf },
}

/** Returns the feeds and versions with snapshots, by feed. */
export function editionRows(manifests: readonly Manifest[], pins: readonly PinnedKey[]): readonly EditionRow[] {
  const versions = [...new Set(manifests.map(({ version }) => version))]
  return feedNames.flatMap(feed =>
    versions.map(version => ({
      feed,
      version,
      snapshots: manifests.filter(one => one.feed === feed && one.version === version),
      pins: pins.filter(({ key }) => key.feedPins[feed] === version).length,
    })),
  )
}

/** Returns an edition as its export has it. */
export function editionExport(row: EditionRow): object {
  const newest = row.snapshots.at(-1)
  return {
    feed: row.feed,
    version: row.version,
    newest_snapshot: newest?.snapshot_id,
    built_at: newest?.created_at,
    records: newest?.records_of_result ?? 0,
    snapshots: row.snapshots.length,
    bytes: bytesOf(row),
    pinned_keys: row.pins,
  }
}

/** Returns the table of feeds and versions, with their newest snapshots. */
export const editionTable = (rows: readonly EditionRow[], order: TableOrder, { nowMs }: PageRequest): HtmlValue =>
  table<EditionRow>({
    caption: 'Feeds by version',
    order,
    columns: [
      { label: 'Feed', kind: 'name', sort: 'feed', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Version', cell: ({ version }) => version },
      {
        label: 'Newest snapshot',
        sort: 'newest',
        cell: ({ snapshots }) => {
          const newest = snapshots.at(-1)
          return newest
            ? [
                html`<code>${newest.snapshot_id}</code>`,
                ' ',
                html`<span class="quiet">${timeDistance(builtMs(newest), nowMs)}</span>`,
              ]
            : html`<span class="quiet">Not built yet</span>`
        },
      },
      {
        label: 'Records',
        kind: 'number',
        sort: 'records',
        cell: ({ snapshots }) => formatNumber(snapshots.at(-1)?.records_of_result ?? 0),
      },
      {
        label: 'Snapshots',
        kind: 'number',
        sort: 'snapshots',
        cell: ({ snapshots }) => formatNumber(snapshots.length),
      },
      {
        label: 'Size',
        kind: 'number',
        sort: 'size',
        cell: row => formatBytes(bytesOf(row)),
      },
      { label: 'Pinned keys', kind: 'number', sort: 'pins', cell: row => formatNumber(row.pins) },
    ],
    rows,
    empty: emptyState(
      'No snapshots yet',
      html`<p>The service builds feeds by its schedule once a key may download them. A build here starts at once.</p>`,
      'cloud-download',
    ),
  })

/** Returns the table of the first snapshots in their order. */
export const snapshotTable = (
  manifests: readonly Manifest[],
  order: TableOrder,
  { zone, may, site }: PageRequest,
): HtmlValue =>
  table<Manifest>({
    caption: 'Snapshots',
    order: { ...order, part: 'snapshots' },
    columns: [
      { label: 'Snapshot', kind: 'name', cell: ({ snapshot_id: id }) => html`<code class="whole">${id}</code>` },
      { label: 'Feed', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Kind', cell: ({ kind }) => kind },
      { label: 'Lines', kind: 'number', sort: 'lines', cell: ({ records }) => formatNumber(records) },
      { label: 'Size', kind: 'number', sort: 'snapshot_size', cell: manifest => formatBytes(sizeOf(manifest)) },
      { label: 'Built', sort: 'built', cell: manifest => time(builtMs(manifest), zone) },
      ...(may('feeds:write')
        ? [
            {
              label: 'Withdraw',
              kind: 'actions' as const,
              cell: ({ feed, version, snapshot_id: snapshot }: Manifest) =>
                link(
                  linkTo(site, `${feedsPath}/withdraw${toQuery({ feed, version, snapshot })}`),
                  'Withdraw',
                  `${feed} ${snapshot}`,
                ),
            },
          ]
        : []),
    ],
    rows: manifests.slice(0, shownSnapshots),
  })
