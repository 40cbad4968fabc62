import type { Job } from '../../../domain/job.ts'
import { type MemoryOrders, pageOrders, sortRows } from '../../../domain/list-order.ts'
import type { RejectCount } from '../../../usecases/admin/count-rejects.ts'
import type { HtmlValue } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { formatNumber, formatPercent } from '../../../web/parts/number.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import { table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { resultOf } from './import-facts.ts'
import { importsPath } from './import-list.ts'

const reasonOrders: MemoryOrders<RejectCount> = {
  reason: { first: 'asc', value: ({ reason }) => reason },
  field: { first: 'asc', value: ({ field }) => field },
  rows: { first: 'desc', value: ({ rows }) => rows },
}
/** The orders of the page of an import. */
export const rejectOrders = pageOrders({ by: 'rows', isDescending: true }, reasonOrders)

/** Returns the reasons of rejected rows with their numbers. */
export function reasonTable(
  job: Job,
  rejects: readonly RejectCount[],
  { site }: PageRequest,
  order: TableOrder,
): HtmlValue {
  const read = resultOf(job)?.read ?? 0
  if (rejects.length === 0) return undefined
  return card(
    'Rejected rows by reason',
    table<RejectCount>({
      caption: 'Rejected rows by reason and field',
      order,
      columns: [
        {
          label: 'Reason',
          kind: 'name',
          sort: 'reason',
          cell: ({ reason }) => link(`${linkTo(site, `${importsPath}/${job.id}?reason=${reason}`)}#rows`, reason),
        },
        { label: 'Field', sort: 'field', cell: ({ field }) => field },
        { label: 'For example', cell: ({ detail }) => detail },
        { label: 'Rows', kind: 'number', sort: 'rows', cell: ({ rows }) => formatNumber(rows) },
        { label: 'Share', kind: 'number', cell: ({ rows }) => read > 0 && formatPercent(rows / read) },
      ],
      rows: sortRows(rejects, order.current, reasonOrders),
    }),
    { id: 'reasons' },
  )
}
