import { isAdminFault } from '../../domain/admin-fault.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import { auditCells, auditColumns } from '../../resources/audit.ts'
import { csvText } from '../../resources/csv.ts'
import { listAudit } from '../../usecases/admin/list-audit.ts'
import { type Html, html } from '../../web/html.ts'
import { form } from '../../web/parts/form.ts'
import { emptyState } from '../../web/parts/notice.ts'
import { pager, toQuery } from '../../web/parts/pager.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import type { ManagementContext } from '../context.ts'
import type { PageAnswer, PageRequest } from '../pages/page-route.ts'

const rowsPerPage = 50
const maxExportedRows = 10_000

/** Returns the page that lists the changes the user may see, or its CSV with `?format=csv`. */
export async function auditPage(
  { audit }: ManagementContext,
  request: PageRequest,
  texts: { readonly title: string; readonly lead: string },
): Promise<PageAnswer> {
  const { query, actor, path, site } = request
  const { format, after, ...filters } = pick(query)
  const isExport = format === 'csv'
  const page = await listAudit({ audit }, actor, {
    actorId: filters.actor,
    ...{ action: filters.action, target: filters.target, partnerId: filters.partner },
    limit: isExport ? maxExportedRows : rowsPerPage,
    ...(after !== undefined && /^\d{1,15}$/.test(after) && { after: Number(after) }),
  })
  if (isAdminFault(page)) return page
  if (isExport)
    return {
      fileName: 'activity.csv',
      type: 'text/csv; charset=utf-8',
      body: csvText([auditColumns, ...page.lines.map(auditCells)]),
    }
  return {
    ...texts,
    actions: html`<a class="button" href="${site.basePath}${path}${toQuery({ ...filters, format: 'csv' })}">Export CSV</a>`,
    content: html`${filterForm(site.basePath + path, filters)}${lines(page.lines, request)}${pager(site.basePath + path, { ...filters, after }, page.next?.toString())}`,
  }
}

const pick = ({ actor, action, target, partner, after, format }: PageRequest['query']) => ({
  actor,
  action,
  target,
  partner,
  after,
  format,
})

const filterForm = (action: string, values: Readonly<Record<string, string | undefined>>): Html =>
  form({
    ...{ action, method: 'get', inline: true, button: 'Filter', kind: 'plain' },
    fields: [
      { name: 'action', label: 'Action', value: values.action, placeholder: 'key.create', required: false },
      { name: 'actor', label: 'By', value: values.actor, required: false },
      { name: 'target', label: 'Target', value: values.target, required: false },
      ...(values.partner === undefined
        ? []
        : [{ name: 'partner', label: 'Partner', value: values.partner, required: false }]),
    ],
  })

const lines = (rows: readonly StoredAuditLine[], { zone }: PageRequest) =>
  table({
    caption: 'Changes, newest first',
    columns: [
      { label: 'When', cell: ({ atMs }) => time(atMs, zone, 'second') },
      { label: 'Action', kind: 'name', cell: ({ action }) => html`<code>${action}</code>` },
      { label: 'Target', cell: ({ target }) => target },
      { label: 'By', cell: ({ actor }) => html`${actor.id} <span class="quiet">(${actor.via})</span>` },
      { label: 'Before', cell: ({ before }) => describe(before) },
      { label: 'After', cell: ({ after }) => describe(after) },
      { label: 'Address', cell: ({ actor }) => actor.address },
    ],
    rows,
    empty: emptyState(
      'No changes',
      html`<p>Every change is listed here, with who made it and what it was before.</p>`,
      'journal-text',
    ),
  })

/** Returns the members of one side of a change; `true` replaces a text that is not repeated. */
const describe = (values: StoredAuditLine['before']): Html | undefined =>
  values &&
  html`<code>${Object.entries(values)
    .map(([name, value]) => `${name}: ${value === true ? 'changed' : JSON.stringify(value)}`)
    .join(', ')}</code>`
