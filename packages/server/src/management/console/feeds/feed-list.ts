import type { WithheldBuild } from '../../../domain/feed-build.ts'
import type { Job } from '../../../domain/job.ts'
import { pageOrders, sortRows } from '../../../domain/list-order.ts'
import { feedSnapshotResource } from '../../../resources/feed-snapshot.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { listPins } from '../../../usecases/admin/list-pins.ts'
import { listSnapshots } from '../../../usecases/admin/list-snapshots.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { livePart } from '../../../web/parts/live.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { RefusedForm } from '../../pages/form-faults.ts'
import type { DownloadAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { exportFormat, exportLinks, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { jobProgress, jobState } from '../../shared/job-parts.ts'
import { readSort } from '../../shared/sort.ts'
import { buildForm } from './build-form.ts'
import { downloaderExport, downloaderOrders, downloaderTable, readDownloaders } from './downloader-table.ts'
import {
  editionExport,
  editionOrders,
  editionRows,
  editionTable,
  snapshotOrders,
  snapshotTable,
} from './edition-tables.ts'
import { feedsPath } from './feeds-path.ts'

const shownBuilds = 5

const orders = pageOrders({ by: 'feed', isDescending: false }, editionOrders, snapshotOrders, downloaderOrders)

/** Returns the page about all feeds: their editions, snapshots, builds, and who downloads them; or one of its lists. */
export async function feedsView(
  context: ManagementContext,
  request: PageRequest,
  refused?: RefusedForm,
): Promise<PageView | DownloadAnswer> {
  const { admin, work } = context
  const { actor, may } = request
  const current = readSort(orders, request)
  if ('title' in current) return current
  const { manifests, withheld } = await listSnapshots(work, actor, {})
  const pins = (await listPins(admin, actor)).filter(({ canUseFeeds }) => canUseFeeds)
  const newestFirst = manifests.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const snapshots = sortRows(newestFirst, current, snapshotOrders)
  const editions = sortRows(editionRows(manifests, pins), current, editionOrders)
  const downloaders = sortRows(await readDownloaders(context, request, pins), current, downloaderOrders)
  const lists: PageLists = {
    snapshots: ['Snapshots', () => snapshots.map(feedSnapshotResource)],
    editions: ['Feeds by version', () => editions.map(editionExport)],
    downloads: ['Keys that may download', () => downloaders.map(downloaderExport)],
  }
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  const path = linkTo(request.site, feedsPath)
  const order = { orders, current, path, filters: {} }
  const filters = { sort: sortParameter(order) }
  const builds = await listJobs(work, actor, { kind: 'feeds', limit: shownBuilds })
  return {
    title: 'Feeds',
    lead: 'The complete data as files, per feed and version. Keys with the add-on feeds download them.',
    ...(refused && { status: refused.status }),
    scripts: ['live.js'],
    actions: exportLinks(path, filters),
    content: [
      withheldNotice(withheld, request),
      livePart('editions', editionTable(editions, order, request)),
      may('feeds:write') && card('Build', buildForm(context, request, withheld.length > 0, refused), { id: 'build' }),
      livePart('builds', builds.length > 0 && card('Last builds', buildTable(builds, request))),
      manifests.length > 0 && card('Snapshots', snapshotTable(snapshots, order, request), { id: 'snapshots' }),
      card('Who downloads', downloaderTable(downloaders, order, request), { id: 'downloads' }),
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
        files: listFiles(path, lists, filters),
      }),
    ],
  }
}

function withheldNotice(withheld: readonly WithheldBuild[], { nowMs }: PageRequest): HtmlValue {
  const texts = withheld.map(({ feed, version, reason, deletions, records, sinceMs }) => {
    const why =
      reason === 'other_store'
        ? 'the data is not the one that the last snapshot was built from'
        : `it would delete ${formatNumber(deletions)} of ${formatCount(records, 'record')}`
    return html`<li>${feedLabels[feed]} in version ${version}, ${timeDistance(sinceMs, nowMs)}: ${why}.</li>`
  })
  return (
    texts.length > 0 && notice('warn', html`<p>Builds are withheld until you confirm them below:</p><ul>${texts}</ul>`)
  )
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
