import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type FeedName, type FeedPinChange, feedNames, type Manifest } from '../../../domain/feed.ts'
import { type Key, noFeedsReason } from '../../../domain/key.ts'
import { pageOrders, sortRows } from '../../../domain/list-order.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import { getPins } from '../../../usecases/admin/get-pins.ts'
import { listDownloads } from '../../../usecases/admin/list-downloads.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listSnapshots } from '../../../usecases/admin/list-snapshots.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { undoWithinMs } from '../../../usecases/admin/undo-pin.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { buttonLink, buttonRow } from '../../../web/parts/link.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat } from '../../shared/export.ts'
import { permissionLabels } from '../../shared/key-parts.ts'
import { readSort } from '../../shared/sort.ts'
import { keyChoice } from '../key-choice.ts'
import { exportSnapshots, moveTable, snapshotCard, snapshotOrders } from './snapshots.ts'

/** The command and the call that list the snapshots of all feeds. */
const otherWays = { cli: 'periplus feeds list', api: 'GET /admin/v1/feeds/locations/snapshots' }
const usageDays = 90

const orders = pageOrders({ by: 'built', isDescending: true }, snapshotOrders(new Map()))

/** The pins of a key, the snapshots of their editions, and how to pull them. */
export const feedsPage = partnerPage({
  method: 'GET',
  path: '/feeds',
  permission: 'own:read',
  handler: async (context, request) => {
    const { admin, apiUrl } = context
    const { partner, actor, query, site, zone } = request
    const current = readSort(orders, request)
    if ('title' in current) return current
    const keys = (await listKeys(admin, actor)).filter(
      key => key.state !== 'revoked' && noFeedsReason(key, admin.packageTable) === undefined,
    )
    const key = keys.find(({ id }) => id === query.key) ?? keys[0]
    const path = linkTo(site, `/portal/${partner.id}/feeds`)
    const view = {
      title: 'Feeds',
      lead: 'The complete data as files. A pin keeps a feed in one version until you move it.',
      scripts: ['samples.js'],
    }
    const format = exportFormat(request)
    if (!key)
      return format
        ? exportSnapshots(format, [], new Map())
        : { ...view, content: [noFeeds(request), sameElsewhere(otherWays)] }
    const pins = await getPins(admin, actor, { id: key.id })
    if (isAdminFault(pins)) return pins
    const downloads = await listDownloads({ ...admin, live: context.live }, actor, { id: key.id })
    if (isAdminFault(downloads)) return downloads
    const downloadedAt = new Map(downloads.map(({ snapshot, atMs }) => [snapshot, atMs]))
    const { manifests } = await listSnapshots(admin, actor, {})
    const pinned = manifests.filter(({ feed, version }) => key.feedPins[feed] === version)
    const newestFirst = pinned.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    const sorted = sortRows(newestFirst, current, snapshotOrders(downloadedAt))
    if (format) return exportSnapshots(format, sorted, downloadedAt)
    const order = { orders, current, path, filters: { key: query.key } }
    return {
      ...view,
      content: [
        keyChoice(keys, key, path),
        card('Pins', [
          pinTable(context, request, pins, pinned, path),
          html`<p class="quiet small">${await lastDownload(context, request, key)}</p>`,
        ]),
        pullCard(apiUrl),
        snapshotCard(sorted, { times: downloadedAt, order, zone }),
        pins.history.length > 0 && card('Moves', moveTable(pins.history, request)),
        sameElsewhere({
          cli: `periplus feeds pins ${key.id}\nperiplus feeds pin ${key.id} locations 2 --preview`,
          api: `GET /admin/v1/keys/${key.id}/feed-pins/locations?version=2`,
        }),
      ],
    }
  },
})

/** Returns how a program pulls the feeds. */
const pullCard = (apiUrl: string): Html =>
  card('Pull', [
    html`<p>The command downloads what is new and applies it to files of its own. It can be repeated at any
time.</p>`,
    codeBlock(`export PERIPLUS_KEY=…\nperiplus feeds pull --url ${apiUrl} --into ./feeds`),
  ])

const noFeeds = ({ site, partner, may }: PartnerRequest): Html =>
  emptyState(
    'No key with feeds',
    [
      html`<p>A live key with the add-on ${permissionLabels.feeds} and without a scope downloads the complete data:
places, reviews and their changes.</p>`,
      may('own:write')
        ? buttonRow(buttonLink(linkTo(site, `/portal/${partner.id}/plan`), 'Request the add-on', { kind: 'primary' }))
        : html`<p>An admin of your team can request the add-on on the page Plan.</p>`,
    ],
    'cloud-download',
  )

interface Pins {
  readonly key: Key
  readonly history: readonly FeedPinChange[]
}

function pinTable(
  { admin }: ManagementContext,
  { may, nowMs, zone }: PartnerRequest,
  { key, history }: Pins,
  pinned: readonly Manifest[],
  path: string,
): HtmlValue {
  const newest = (feed: FeedName) => pinned.findLast(manifest => manifest.feed === feed)
  const statusOf = (version: string) => admin.feedVersions.find(({ name }) => name === version)?.status
  const undoable = (feed: FeedName) => {
    const last = history.findLast(change => change.feed === feed)
    return last && nowMs - last.atMs <= undoWithinMs ? last : undefined
  }
  return table<FeedName>({
    caption: 'Feeds with the versions they are pinned to',
    columns: [
      { label: 'Feed', kind: 'name', cell: feed => feedLabels[feed] },
      {
        label: 'Version',
        cell: feed => {
          const status = statusOf(key.feedPins[feed])
          return html`${key.feedPins[feed]}${status !== 'stable' && html` ${badge('warn', status ?? 'unknown')}`}`
        },
      },
      {
        label: 'Newest snapshot',
        cell: feed => {
          const manifest = newest(feed)
          return manifest
            ? [
                html`<code>${manifest.snapshot_id}</code>`,
                ' ',
                html`<span class="quiet">${timeDistance(Date.parse(manifest.created_at), nowMs)}</span>`,
              ]
            : html`<span class="quiet">Not built yet</span>`
        },
      },
      { label: 'Records', kind: 'number', cell: feed => recordsOf(newest(feed)) },
      {
        label: 'Actions',
        kind: 'actions',
        cell: feed => {
          if (!may('own:write')) return undefined
          const last = undoable(feed)
          const link = `${path}/${key.id}/${feed}`
          const hidden = { revision: String(key.revision) }
          const until = last && html`Undo until ${time(last.atMs + undoWithinMs, zone)}`
          return [
            last && html`${buttonForm(`${link}/undo`, `Undo: back to ${last.from}`, hidden)} `,
            buttonLink(link, 'Move', { subject: feedLabels[feed] }),
            last && html`<br><span class="quiet small">${until}</span>`,
          ]
        },
      },
    ],
    rows: feedNames,
  })
}

const recordsOf = (manifest: Manifest | undefined): string | undefined =>
  manifest && formatNumber(manifest.records_of_result)

/** Returns a sentence about the latest day on which the key downloaded a file. Days are counted in UTC. */
async function lastDownload({ usage }: ManagementContext, { actor, nowMs }: PartnerRequest, key: Key): Promise<Html> {
  const fromMs = startOfUtcDay(nowMs - usageDays * dayMs)
  const report = await reportUsage(usage, actor, { keyId: key.id, fromMs, by: ['operation', 'day', 'status'] })
  const days = (isAdminFault(report) ? [] : report.rows)
    .filter(({ operation, status }) => operation === 'downloadFeedFile' && Number(status) < 300)
    .map(({ day }) => String(day))
    .sort()
  const last = days.at(-1)
  return last === undefined
    ? html`This key has downloaded nothing in ${usageDays} days.`
    : html`This key last downloaded a file on ${time(Date.parse(last), 'UTC', 'day')}.`
}
