import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { RejectedRow } from '../../../domain/job.ts'
import { listRejects } from '../../../usecases/admin/list-rejects.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { pager } from '../../../web/parts/pager.ts'
import { table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { importsPath } from './import-list.ts'

const rowsPerPage = 20
const maxRowLength = 500

/** Returns samples of the rejected rows, of one reason if the URL names it. */
export async function rejectedRows(
  { work }: ManagementContext,
  { actor, query, site }: PageRequest,
  id: string,
): Promise<Html | undefined> {
  const { reason, sort, after } = query
  const skip = after !== undefined && /^\d{1,9}$/.test(after) ? Number(after) : 0
  const found = await listRejects(work, actor, { id, reason, skip, limit: rowsPerPage })
  if (isAdminFault(found)) return undefined
  const next = found.hasMore ? String(skip + found.rows.length) : undefined
  return card(
    reason === undefined ? 'Rejected rows' : `Rejected rows: ${reason}`,
    [
      table<RejectedRow>({
        caption: 'Rejected rows in the order of the input',
        columns: [
          { label: 'Line', kind: 'number', cell: ({ line }) => line },
          { label: 'Problem', cell: ({ detail }) => detail },
          {
            label: 'Row',
            cell: ({ row }) =>
              row === undefined ? html`<span class="quiet">erased</span>` : html`<code>${cut(row)}</code>`,
          },
        ],
        rows: found.rows,
        empty: html`<p class="quiet">No row was rejected for this reason, or a later import of the same file has
replaced the list.</p>`,
      }),
      pager(linkTo(site, `${importsPath}/${id}`), { reason, sort, after }, next),
    ],
    { id: 'rows' },
  )
}

const cut = (text: string): string => (text.length > maxRowLength ? `${text.slice(0, maxRowLength)}…` : text)
