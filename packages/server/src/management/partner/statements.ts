import { isAdminFault } from '../../domain/admin-fault.ts'
import { listMonths } from '../../usecases/admin/list-months.ts'
import { makeStatement } from '../../usecases/admin/make-statement.ts'
import type { ManagementContext } from '../context.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../pages/page-route.ts'
import { exportFormat } from '../shared/export.ts'
import { statementDownload } from '../shared/statement-file.ts'
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
  const { params, partner, actor } = request
  const statement = await makeStatement(usage, actor, { partnerId: partner.id, month: params.month! })
  if (isAdminFault(statement)) return statement
  const format = exportFormat(request)
  return format === undefined ? statementView(request, statement) : statementDownload(statement, format)
}
