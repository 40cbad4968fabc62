import { type FeedName, feedNames, type Manifest } from '../../../domain/feed.ts'
import type { PinnedKey } from '../../../usecases/admin/list-pins.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { formatBytes, formatNumber } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { feedsPath } from './feeds-path.ts'

const shownSnapshots = 20

const sizeOf = ({ files }: Manifest): number => files.reduce((sum, file) => sum + file.bytes, 0)

/** A row of the table of editions. */
interface EditionRow {
  readonly feed: FeedName
  readonly version: string
  readonly snapshots: readonly Manifest[]
  readonly pins: number
}

/** Returns the table of feeds and versions, with their newest snapshots. */
export function editionTable(
  manifests: readonly Manifest[],
  pins: readonly PinnedKey[],
  { nowMs }: PageRequest,
): HtmlValue {
  const versions = [...new Set(manifests.map(({ version }) => version))]
  const rows: readonly EditionRow[] = feedNames.flatMap(feed =>
    versions.map(version => ({
      feed,
      version,
      snapshots: manifests.filter(one => one.feed === feed && one.version === version),
      pins: pins.filter(({ key }) => key.feedPins[feed] === version).length,
    })),
  )
  return table<EditionRow>({
    caption: 'Feeds by version',
    columns: [
      { label: 'Feed', kind: 'name', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Version', cell: ({ version }) => version },
      {
        label: 'Newest snapshot',
        cell: ({ snapshots }) => {
          const newest = snapshots.at(-1)
          return newest
            ? [
                html`<code>${newest.snapshot_id}</code>`,
                ' ',
                html`<span class="quiet">${timeDistance(Date.parse(newest.created_at), nowMs)}</span>`,
              ]
            : html`<span class="quiet">Not built yet</span>`
        },
      },
      {
        label: 'Records',
        kind: 'number',
        cell: ({ snapshots }) => formatNumber(snapshots.at(-1)?.records_of_result ?? 0),
      },
      { label: 'Snapshots', kind: 'number', cell: ({ snapshots }) => formatNumber(snapshots.length) },
      {
        label: 'Size',
        kind: 'number',
        cell: ({ snapshots }) => formatBytes(snapshots.reduce((sum, one) => sum + sizeOf(one), 0)),
      },
      { label: 'Pinned keys', kind: 'number', cell: row => formatNumber(row.pins) },
    ],
    rows,
    empty: emptyState(
      'No snapshots yet',
      html`<p>The service builds feeds by its schedule once a key may download them. A build here starts at once.</p>`,
      'cloud-download',
    ),
  })
}

/** Returns the table of the newest snapshots. */
export function snapshotTable(manifests: readonly Manifest[], { zone, may, site }: PageRequest): HtmlValue {
  const newestFirst = manifests.toSorted((a, b) => b.created_at.localeCompare(a.created_at)).slice(0, shownSnapshots)
  return table<Manifest>({
    caption: 'Snapshots, newest first',
    columns: [
      { label: 'Snapshot', kind: 'name', cell: ({ snapshot_id: id }) => html`<code class="whole">${id}</code>` },
      { label: 'Feed', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Kind', cell: ({ kind }) => kind },
      { label: 'Lines', kind: 'number', cell: ({ records }) => formatNumber(records) },
      { label: 'Size', kind: 'number', cell: manifest => formatBytes(sizeOf(manifest)) },
      { label: 'Built', cell: ({ created_at: at }) => time(Date.parse(at), zone) },
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
    rows: newestFirst,
  })
}
