import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type FeedName, feedNames, type Manifest } from '../../../domain/feed.ts'
import type { WithheldBuild } from '../../../domain/feed-build.ts'
import type { Job } from '../../../domain/job.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import { feedSnapshotResource } from '../../../resources/feed-snapshot.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { listPins, type PinnedKey } from '../../../usecases/admin/list-pins.ts'
import { listSnapshots } from '../../../usecases/admin/list-snapshots.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { livePart } from '../../../web/parts/live.ts'
import { badge, emptyState, notice } from '../../../web/parts/notice.ts'
import { bytes, count, number } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { distance, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { Download, PageRequest, PageView } from '../../pages/page-route.ts'
import { exportLinks, exportRows } from '../../shared/export.ts'
import { feedLabels } from '../../shared/feed-labels.ts'
import { jobProgress, jobState } from '../../shared/job-parts.ts'
import { keyName } from '../../shared/key-parts.ts'
import { readNames } from '../../shared/names.ts'

/** Path of the page below the base path. */
export const feedsPath = '/console/feeds'

const shownSnapshots = 20
const shownBuilds = 5
const downloadDays = 30

/** Returns the page about all feeds: their editions, snapshots, builds, and who downloads them. */
export async function feedsView(
  context: ManagementContext,
  request: PageRequest,
  refused?: { readonly status: number; readonly error: string },
): Promise<PageView> {
  const { admin, work } = context
  const { actor, may } = request
  const { manifests, withheld } = await listSnapshots(work, actor, {})
  const pins = (await listPins(admin, actor)).filter(({ canUseFeeds }) => canUseFeeds)
  const builds = await listJobs(work, actor, { kind: 'feeds', limit: shownBuilds })
  return {
    title: 'Feeds',
    lead: 'The complete data as files, per feed and version. Keys with the add-on feeds download them.',
    ...(refused && { status: refused.status }),
    scripts: ['live.js'],
    actions: exportLinks(linkTo(request.site, feedsPath), {}),
    content: [
      refused && notice('bad', html`<p>${refused.error}</p>`, 'alert'),
      withheldNotice(withheld, request),
      livePart('editions', editionTable(manifests, pins, request)),
      may('feeds:write') && card('Build', buildForm(context, request, withheld.length > 0)),
      livePart('builds', builds.length > 0 && card('Last builds', buildTable(builds, request))),
      manifests.length > 0 && card('Snapshots', snapshotTable(manifests, request)),
      card('Who downloads', await downloaders(context, request, pins)),
      sameElsewhere({
        cli: [
          'periplus feeds list',
          'periplus feeds build --feed locations',
          'periplus feeds withdraw FEED 1 SNAPSHOT --reason TEXT',
        ],
        api: [
          'GET /admin/v1/feeds/{feed}/snapshots',
          'POST /admin/v1/feeds/build',
          'DELETE /admin/v1/feeds/{feed}/snapshots/{id}?version=1&reason=TEXT',
        ],
      }),
    ],
  }
}

/** Returns the snapshots of all feeds as a file. */
export async function exportSnapshots(
  { work }: ManagementContext,
  { actor }: PageRequest,
  format: 'csv' | 'json',
): Promise<Download> {
  const { manifests } = await listSnapshots(work, actor, {})
  return exportRows('snapshots', format, manifests.map(feedSnapshotResource))
}

const sizeOf = ({ files }: Manifest): number => files.reduce((sum, file) => sum + file.bytes, 0)

function withheldNotice(withheld: readonly WithheldBuild[], { nowMs }: PageRequest): HtmlValue {
  const texts = withheld.map(({ feed, version, reason, deletions, records, sinceMs }) => {
    const why =
      reason === 'other_store'
        ? 'the data is not the one that the last snapshot was built from'
        : `it would delete ${number(deletions)} of ${count(records, 'record')}`
    return html`<li>${feedLabels[feed]} in version ${version}, ${distance(sinceMs, nowMs)}: ${why}.</li>`
  })
  return (
    texts.length > 0 && notice('warn', html`<p>Builds are withheld until you confirm them below:</p><ul>${texts}</ul>`)
  )
}

/** A row of the table of editions. */
interface EditionRow {
  readonly feed: FeedName
  readonly version: string
  readonly snapshots: readonly Manifest[]
  readonly pins: number
}

function editionTable(manifests: readonly Manifest[], pins: readonly PinnedKey[], { nowMs }: PageRequest): HtmlValue {
  const versions = [...new Set(manifests.map(({ version }) => version))]
  const rows: readonly EditionRow[] = feedNames.flatMap(feed =>
    versions.map(version => ({
      ...{ feed, version },
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
                html`<span class="quiet">${distance(Date.parse(newest.created_at), nowMs)}</span>`,
              ]
            : html`<span class="quiet">Not built yet</span>`
        },
      },
      { label: 'Records', kind: 'number', cell: ({ snapshots }) => number(snapshots.at(-1)?.records_of_result ?? 0) },
      { label: 'Snapshots', kind: 'number', cell: ({ snapshots }) => number(snapshots.length) },
      {
        label: 'Size',
        kind: 'number',
        cell: ({ snapshots }) => bytes(snapshots.reduce((sum, one) => sum + sizeOf(one), 0)),
      },
      { label: 'Pinned keys', kind: 'number', cell: row => number(row.pins) },
    ],
    rows,
    empty: emptyState(
      'No snapshots yet',
      html`<p>The service builds feeds by its schedule once a key may download them. A build here starts at once.</p>`,
      'cloud-download',
    ),
  })
}

function buildForm({ work }: ManagementContext, { site }: PageRequest, isWithheld: boolean): Html {
  const versions = work.feedVersions.filter(({ isImplemented, feedsEnded }) => isImplemented && !feedsEnded)
  const force: Field = {
    ...{ name: 'force', type: 'checkbox', required: false },
    label: 'Publish builds that are withheld',
  }
  return form({
    ...{ action: linkTo(site, `${feedsPath}/build`), inline: true, button: 'Build now' },
    fields: [
      {
        ...{ name: 'feed', label: 'Feed', type: 'select', value: '', required: false },
        choices: [{ value: '', label: 'All' }, ...feedNames.map(value => ({ value, label: feedLabels[value] }))],
      },
      {
        ...{ name: 'version', label: 'Version', type: 'select', value: '', required: false },
        choices: [{ value: '', label: 'All' }, ...versions.map(({ name }) => ({ value: name, label: name }))],
      },
      {
        ...{ name: 'kind', label: 'Snapshot', type: 'select', value: '', required: false },
        choices: [
          { value: '', label: 'Delta, or full if due' },
          { value: 'full', label: 'Full' },
          { value: 'delta', label: 'Delta' },
        ],
      },
      ...(isWithheld ? [force] : []),
    ],
  })
}

const buildTable = (builds: readonly Job[], { zone }: PageRequest): HtmlValue =>
  table<Job>({
    caption: 'Builds that a person started, newest first',
    columns: [
      { label: 'Started', kind: 'name', cell: ({ createdMs }) => time(createdMs, zone) },
      { label: 'State', cell: jobState },
      { label: 'Progress', cell: jobProgress },
      { label: 'By', cell: ({ actor }) => actor.via },
    ],
    rows: builds,
  })

function snapshotTable(manifests: readonly Manifest[], { zone, may, site }: PageRequest): HtmlValue {
  const newestFirst = manifests.toSorted((a, b) => b.created_at.localeCompare(a.created_at)).slice(0, shownSnapshots)
  return table<Manifest>({
    caption: 'Snapshots, newest first',
    columns: [
      { label: 'Snapshot', kind: 'name', cell: ({ snapshot_id: id }) => html`<code>${id}</code>` },
      { label: 'Feed', cell: ({ feed }) => feedLabels[feed] },
      { label: 'Kind', cell: ({ kind }) => kind },
      { label: 'Lines', kind: 'number', cell: ({ records }) => number(records) },
      { label: 'Size', kind: 'number', cell: manifest => bytes(sizeOf(manifest)) },
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

/** Lists the keys that may download feeds, with what they downloaded. */
async function downloaders(
  context: ManagementContext,
  request: PageRequest,
  pins: readonly PinnedKey[],
): Promise<HtmlValue> {
  const { usage } = context
  const { actor, nowMs, site } = request
  const fromMs = startOfUtcDay(nowMs - downloadDays * dayMs)
  const report = await reportUsage(usage, actor, { fromMs, by: ['operation', 'key', 'day', 'status'] })
  const rows = (isAdminFault(report) ? [] : report.rows).filter(
    ({ operation, status }) => operation === 'downloadFeedFile' && Number(status) < 300,
  )
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
        cell: ({ key }) => number(downloadsOf(key.id).reduce((sum, { calls }) => sum + calls, 0)),
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
