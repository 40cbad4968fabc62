import type { Job } from '../../../domain/job.ts'
import { jobResource } from '../../../resources/job.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { codeBlock } from '../../../web/parts/code.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { livePart } from '../../../web/parts/live.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { pager } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { describeJobFailure } from '../../job-failures.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { boundRows, exportBounds, exportFormat, exportLinks, exportRows, maxExportedRows } from '../../shared/export.ts'
import { jobState } from '../../shared/job-parts.ts'
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
  const format = exportFormat(request)
  const jobs = await listJobs(work, actor, {
    kind: 'import',
    limit: (format ? maxExportedRows : rowsPerPage) + 1,
    ...(after !== undefined && { after }),
  })
  if (format) {
    const { rows, isCut } = boundRows(jobs.map(job => jobResource(job, describeJobFailure)))
    return exportRows('imports', format, rows, isCut)
  }
  const shown = jobs.slice(0, rowsPerPage)
  const next = jobs.length > rowsPerPage ? shown.at(-1)!.id : undefined
  return {
    title: 'Imports',
    lead: 'Places and reviews are imported from files. Importing the same file again changes nothing.',
    scripts: ['live.js'],
    actions: [
      exportLinks(linkTo(site, importsPath), {}),
      may('imports:write') &&
        html` ${buttonLink(linkTo(site, `${importsPath}/new`), 'Import a file', { kind: 'primary' })}`,
    ],
    content: [
      livePart(
        'imports',
        html`<div class="dense">${importTable(shown, request, await readActorNames(context, request))}</div>`,
      ),
      pager(linkTo(site, importsPath), { after }, next),
      exportBounds(next),
      sameElsewhere({
        cli: 'periplus import FILE --source NAME --dry-run',
        api: 'POST /admin/v1/imports?dry_run=true',
      }),
    ],
  }
}

const importTable = (jobs: readonly Job[], { site, zone }: PageRequest, nameOf: ActorNames): HtmlValue =>
  table<Job>({
    caption: 'Imports, newest first',
    columns: [
      {
        label: 'Input',
        kind: 'name',
        cell: job => [
          html`<a href="${linkTo(site, `${importsPath}/${job.id}`)}">${inputName(job)}</a>`,
          ' ',
          requestOf(job).dry_run && badge('plain', 'Dry run'),
        ],
      },
      { label: 'State', cell: job => html`${jobState(job)}${progressBar(job)}` },
      { label: 'Source', cell: job => requestOf(job).source },
      ...(['read', 'added', 'changed', 'rejected'] as const).map(name => ({
        label: name.charAt(0).toUpperCase() + name.slice(1),
        kind: 'number' as const,
        cell: (job: Job) => {
          const count = resultOf(job)?.[name]
          return count !== undefined && formatNumber(count)
        },
      })),
      { label: 'By', cell: ({ actor }) => nameOf(actor) },
      { label: 'Started', cell: ({ startedMs, createdMs }) => time(startedMs ?? createdMs, zone) },
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
