import { type Job, jobOrders } from '../../../domain/job.ts'
import { jobResource } from '../../../resources/job.ts'
import { listJobPart } from '../../../usecases/admin/list-jobs.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { livePart } from '../../../web/parts/live.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter, type TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { describeJobFailure } from '../../job-failures.ts'
import { readShownPage } from '../../page.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportBounds, exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { jobState } from '../../shared/job-parts.ts'
import { readSort, sortFlag } from '../../shared/sort.ts'
import { type ActorNames, readActorNames } from '../actor-names.ts'
import { inputName, progressBar, requestOf, resultOf } from './import-facts.ts'

const rowsPerPage = 25

/** Path of the list below the base path. */
export const importsPath = '/console/imports'

/** Lists the imports, those from a terminal included. */
export async function importListPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { work } = context
  const { actor, query, site, may } = request
  const { after } = query
  const current = readSort(jobOrders, request)
  if ('title' in current) return current
  const format = exportFormat(request)
  const { data, next } = await readShownPage(
    current,
    span => listJobPart(work, actor, { kind: 'import', ...span }),
    format ? { limit: maxExportedRows } : { limit: rowsPerPage, after },
  )
  if (format) {
    const rows = data.map(job => jobResource(job, describeJobFailure))
    return exportRows('imports', format, rows, next !== null)
  }
  const here = linkTo(site, importsPath)
  const order = { orders: jobOrders, current, path: here, filters: {} }
  const sort = sortParameter(order)
  const rows = importTable(data, request, { nameOf: await readActorNames(context, request), order })
  return {
    title: 'Imports',
    lead: 'Places and reviews are imported from files. Importing the same file again changes nothing.',
    scripts: ['live.js'],
    actions: [
      exportLinks(here, { sort }),
      may('imports:write') && html` ${buttonLink(`${here}/new`, 'Import a file', { kind: 'primary' })}`,
    ],
    content: [
      livePart('imports', html`<div class="dense">${rows}</div>`),
      pager(here, { sort, after }, next ?? undefined),
      exportBounds(next),
      sameElsewhere({
        cli: [`periplus imports list${sortFlag(order)}`, 'periplus import FILE --source NAME --dry-run'],
        api: [`GET /admin/v1/imports${toQuery({ sort })}`, 'POST /admin/v1/imports?dry_run=true'],
      }),
    ],
  }
}

const mappingText = (job: Job): HtmlValue => {
  const { mapping = [] } = requestOf(job)
  const columns = mapping.map(({ field, column }) => `${field}=${column}`).join(', ')
  return mapping.length > 0 && html`<br><span class="quiet small datum">${columns}</span>`
}

const importTable = (
  jobs: readonly Job[],
  { site, zone }: PageRequest,
  { nameOf, order }: { readonly nameOf: ActorNames; readonly order: TableOrder },
): HtmlValue =>
  table<Job>({
    caption: 'Imports',
    order,
    columns: [
      {
        label: 'Input',
        kind: 'name',
        cell: job => [
          html`<a href="${linkTo(site, `${importsPath}/${job.id}`)}">${inputName(job)}</a>`,
          ' ',
          requestOf(job).dry_run && badge('plain', 'Dry run'),
          mappingText(job),
        ],
      },
      { label: 'State', sort: 'state', cell: job => html`${jobState(job)}${progressBar(job)}` },
      { label: 'Source', sort: 'source', cell: job => requestOf(job).source },
      ...(['read', 'added', 'changed', 'rejected'] as const).map(name => ({
        label: name.charAt(0).toUpperCase() + name.slice(1),
        kind: 'number' as const,
        sort: name,
        cell: (job: Job) => {
          const count = resultOf(job)?.[name]
          return count !== undefined && formatNumber(count)
        },
      })),
      { label: 'By', cell: ({ actor }) => nameOf(actor) },
      { label: 'Started', sort: 'created', cell: ({ startedMs, createdMs }) => time(startedMs ?? createdMs, zone) },
    ],
    rows: jobs,
    empty: emptyState(
      'No imports yet',
      [
        html`<p>Import places and reviews as CSV, NDJSON, GeoJSON or Parquet, gzipped or not: upload a file here, or run
the command where the file is. Columns are recognised by their names.</p>`,
        codeBlock('periplus import places.csv --source my-source --dry-run'),
      ],
      'upload',
    ),
  })
