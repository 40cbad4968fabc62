import type { PricedStatement } from '../../domain/usage-report.ts'
import { statementCsv, statementResource } from '../../resources/usage.ts'
import type { DownloadAnswer } from '../pages/page-route.ts'

/** Returns a statement as a file. */
export function statementDownload(statement: PricedStatement, format: 'csv' | 'json'): DownloadAnswer {
  const resource = statementResource(statement)
  const fileName = `statement-${statement.partnerId}-${statement.month}.${format}`
  return format === 'csv'
    ? { fileName, type: 'text/csv; charset=utf-8', body: statementCsv(resource) }
    : { fileName, type: 'application/json', body: `${JSON.stringify(resource, undefined, 2)}\n` }
}
