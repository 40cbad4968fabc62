import { isAdminFault } from '../../../domain/admin-fault.ts'
import { formatCategoryAssignment } from '../../../domain/category-map.ts'
import type { ImportSurvey } from '../../../domain/import-survey.ts'
import type { Job } from '../../../domain/job.ts'
import type { ImportResource } from '../../../resources/import.ts'
import { cancelJob } from '../../../usecases/admin/cancel-job.ts'
import { countRejects, type RejectCount } from '../../../usecases/admin/count-rejects.ts'
import { getImport } from '../../../usecases/admin/get-import.ts'
import { findChecked, importChecked } from '../../../usecases/admin/import-checked.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card, facts, tiles } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { livePart } from '../../../web/parts/live.ts'
import { mapScripts, mapStyles } from '../../../web/parts/map.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatBytes, formatCount, formatNumber, formatPercent } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { formatDuration, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { describeJobFailure } from '../../job-failures.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { jobState } from '../../shared/job-parts.ts'
import { readSort } from '../../shared/sort.ts'
import { type ActorNames, readActorNames } from '../actor-names.ts'
import { inputName, isUnfinished, optionsOfJob, progressBar, requestOf, resultOf } from './import-facts.ts'
import { importsPath } from './import-list.ts'
import { reasonTable, rejectOrders } from './reject-reasons.ts'
import { rejectedRows } from './rejected-rows.ts'
import { surveyCards } from './survey-cards.ts'

/** Shows an import: its progress, counts, unused columns and rejected rows. */
export async function importPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { work } = context
  const id = request.params.id!
  const run = await getImport(work, request.actor, { id })
  if (isAdminFault(run)) return run
  const current = readSort(rejectOrders, request)
  if ('title' in current) return current
  const { job } = run
  const counts = isUnfinished(job) ? [] : await countRejects(work, request.actor, { id })
  const rejects = isAdminFault(counts) ? [] : counts
  const lists = listsOf(rejects, run.survey)
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  const here = linkTo(request.site, `${importsPath}/${id}`)
  const order = {
    orders: rejectOrders,
    current,
    path: here,
    filters: { reason: request.query.reason },
    part: 'reasons',
  }
  const rows = rejects.length > 0 ? await rejectedRows(context, request, id) : undefined
  const nameOf = await readActorNames(context, request)
  const checked = request.may('imports:write') && (await findChecked(work, request.actor, { id }))
  const isKept = checked !== undefined && checked !== false && !isAdminFault(checked)
  return {
    title: inputName(job),
    trail: [{ path: importsPath, label: 'Imports' }],
    ...(run.survey && { scripts: mapScripts, styles: mapStyles }),
    ...(isUnfinished(job) && {
      scripts: ['live.js'],
      head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>\n`,
    }),
    actions: actionsOf(job, request),
    content: [
      livePart('import', [summary(job, request, nameOf), outcome(job, request, isKept)]),
      surveyCards(run.survey, request),
      livePart('import-rows', [reasonTable(job, rejects, request, order), rows, columnCards(resultOf(job))]),
      sameElsewhere({
        cli: `periplus imports show ${id}`,
        api: `GET /admin/v1/imports/${id}\nGET /admin/v1/imports/${id}/rejects`,
        files: listFiles(here, lists),
      }),
    ],
  }
}

const listsOf = (rejects: readonly RejectCount[], survey: ImportSurvey | undefined): PageLists => ({
  reasons: ['Rejected rows by reason', () => rejects],
  ...(survey && {
    countries: ['Accepted places by country', () => survey.drift.countries],
    categories: ['Accepted places by category', () => survey.drift.categories],
  }),
})

/** Cancels an import; it ends after its current batch. */
export async function cancelImportPage({ work }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const id = request.params.id!
  const run = await getImport(work, request.actor, { id })
  if (isAdminFault(run)) return run
  const cancelled = await cancelJob(work, request.actor, { id })
  if (isAdminFault(cancelled)) return cancelled
  return { redirect: `${importsPath}/${id}`, message: 'The import ends after its current batch.' }
}

/** Imports the file of a dry run, which need not be uploaded again. */
export async function importCheckedPage({ work }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const id = request.params.id!
  const run = await getImport(work, request.actor, { id })
  if (isAdminFault(run)) return run
  const started = await importChecked(work, request.actor, { id, options: optionsOfJob(run.job) })
  if (isAdminFault(started)) return started
  return started
    ? { redirect: `${importsPath}/${started.id}`, message: 'The import has started.' }
    : { redirect: `${importsPath}/new`, message: 'The file is not kept any more. Upload it again.' }
}

function actionsOf(job: Job, { may, site }: PageRequest): HtmlValue {
  if (!may('imports:write')) return undefined
  if (isUnfinished(job)) return buttonForm(linkTo(site, `${importsPath}/${job.id}/cancel`), 'Cancel')
  const { source, kind, format, mapping = [], categories = [], replace, force } = requestOf(job)
  const query = toQuery({
    source,
    kind,
    format,
    map: mapping.map(({ field, column }) => `${field}=${column}`).join('\n'),
    category_map: categories.map(formatCategoryAssignment).join('\n'),
    replace: replace ? 'yes' : undefined,
    force: force ? 'yes' : undefined,
  })
  return buttonLink(linkTo(site, `${importsPath}/new${query}`), 'Run again')
}

function summary(job: Job, { zone }: PageRequest, nameOf: ActorNames): Html {
  const request = requestOf(job)
  const { source, kind, format, mapping = [], categories = [], bytes: size, replace, dry_run: isDryRun } = request
  const { startedMs, endedMs, createdMs, actor } = job
  return card(
    html`${jobState(job)}`,
    html`${progressBar(job)}${facts([
      [
        'Mode',
        isDryRun
          ? 'Dry run: nothing is changed'
          : replace
            ? 'Full sync: removes what the input does not have'
            : 'Import',
      ],
      ['Source', source ?? 'named by the records'],
      ['Contents', kind],
      ['Format', format],
      ['Size', size !== undefined && formatBytes(size)],
      [
        'Columns',
        mapping.length > 0 && html`<code>${mapping.map(one => `${one.field}=${one.column}`).join(', ')}</code>`,
      ],
      [
        'Categories',
        categories.length > 0 && html`<code>${categories.map(formatCategoryAssignment).join(', ')}</code>`,
      ],
      ['Started', time(startedMs ?? createdMs, zone, 'second')],
      ['Duration', startedMs !== undefined && endedMs !== undefined && formatDuration(endedMs - startedMs)],
      ['By', nameOf(actor)],
    ])}`,
  )
}

/** Says how an import ended, with its counts. */
function outcome(job: Job, { site }: PageRequest, isKept: boolean): HtmlValue {
  const result = resultOf(job)
  const isDryRun = requestOf(job).dry_run === true && job.state === 'done'
  const shown = ['read', 'added', 'changed', 'unchanged', 'removed', 'rejected'] as const
  return html`${job.failure && notice('bad', html`<p>${describeJobFailure(job.failure)}</p>`)}
${
  isDryRun &&
  notice('info', [
    html`<p>Nothing was changed. If the counts are what you expect, `,
    isKept
      ? html`import the file now; it is kept for an hour after the upload.</p>`
      : html`<a href="${linkTo(site, `${importsPath}/new`)}">upload the file again</a> and choose Import.</p>`,
    isKept && buttonForm(linkTo(site, `${importsPath}/${job.id}/import`), 'Import now', {}, 'primary'),
  ])
}
${result?.advice?.map(text => notice('warn', html`<p>${text}</p>`))}
${
  result &&
  tiles(
    shown.map(name => ({
      label: name.charAt(0).toUpperCase() + name.slice(1),
      value: formatNumber(result[name]),
      ...(name === 'rejected' &&
        result.read > 0 && { note: `${formatPercent(result[name] / result.read)} of the rows` }),
    })),
  )
}`
}

/** Shows how an import has read the columns, which ones it has not used, and which values were unknown or dropped. */
function columnCards(result: ImportResource | undefined): HtmlValue {
  const notes = Object.entries(result?.notes ?? {})
  const files = result?.files ?? []
  const { categories = [], statuses = [], countries = [] } = result?.unknown ?? {}
  const unknown = [
    ['Categories, served as OTHER', categories],
    ['Statuses, whose rows were rejected', statuses],
    ['Countries, which were dropped', countries],
  ] as const
  return html`${files.map(({ mapping = [], unused_columns: unused = [], kind, format, sample }) =>
    card('How the file was understood', [
      facts([
        ['Format', format],
        ['Contents', kind],
        [
          'Columns',
          mapping.length > 0 && html`<code>${mapping.map(one => `${one.field}=${one.column}`).join(', ')}</code>`,
        ],
        ['Not used', unused.length > 0 ? html`<code>${unused.join(', ')}</code>` : 'All columns are used.'],
      ]),
      sample.length > 0 &&
        html`<details class="same"><summary>${formatCount(sample.length, 'record')} as they would be stored</summary>
<pre tabindex="0"><code>${JSON.stringify(sample, undefined, 2)}</code></pre></details>`,
    ]),
  )}${
    result?.unknown &&
    card(
      'Unknown values, the most frequent first',
      facts(unknown.map(([label, values]) => [label, values.map(one => `${one.value} (${one.count})`).join(', ')])),
    )
  }${
    notes.length > 0 &&
    card(
      'Values that were dropped or replaced',
      facts(notes.map(([note, rows]) => [note.replaceAll('_', ' '), formatCount(rows, 'value')] as const)),
    )
  }`
}
