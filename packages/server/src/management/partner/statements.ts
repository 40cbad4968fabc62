import { isAdminFault } from '../../domain/admin-fault.ts'
import { statementCsv, statementResource } from '../../resources/usage.ts'
import { listMonths } from '../../usecases/admin/list-months.ts'
import { makeStatement } from '../../usecases/admin/make-statement.ts'
import type { ManagementContext } from '../context.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../pages/page-route.ts'
import { monthsView, statementView } from './statements-view.ts'

/** The months of a partner with their billable units, and the statement of each. */
export const statementPages = [
  partnerPage({ method: 'GET', path: '/statements', permission: 'own:read', handler: monthsPage }),
  partnerPage({ method: 'GET', path: '/statements/:month', permission: 'own:read', handler: statementPage }),
]

async function monthsPage({ usage }: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const listed = await listMonths(usage, request.actor, { partnerId: request.partner.id })
  return isAdminFault(listed) ? listed : monthsView(request, listed)
}

async function statementPage({ usage }: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { params, partner, actor, query } = request
  const statement = await makeStatement(usage, actor, { partnerId: partner.id, month: params.month! })
  if (isAdminFault(statement)) return statement
  if (query.format !== 'csv') return statementView(request, statement)
  return {
    fileName: `statement-${partner.id}-${statement.month}.csv`,
    type: 'text/csv; charset=utf-8',
    body: statementCsv(statementResource(statement)),
  }
}
