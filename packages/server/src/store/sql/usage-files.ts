import type { FoldedFile } from '../../domain/ledger.ts'
import { all, type SqlParams, type SqlWork } from './database.ts'

/** A row of the table of journal files; null is without limit. */
export interface UsageFileRow {
  readonly file: number
  readonly bytes: number
  readonly calls: number
  readonly first_ms: number | null
  readonly last_ms: number | null
  readonly state: FoldedFile['state']
}

const toColumn = (ms: number) => (ms === Number.POSITIVE_INFINITY ? null : ms)
const fromColumn = (ms: number | null) => ms ?? Number.POSITIVE_INFINITY

/** Returns the columns of a file. */
export const usageFileColumns = ({ firstMs, lastMs, ...row }: FoldedFile): UsageFileRow => ({
  ...row,
  first_ms: toColumn(firstMs),
  last_ms: toColumn(lastMs),
})

/** Reads the files of a journal, in ascending order. `condition` restricts the rows. */
export function* readUsageFiles(condition = '', params: SqlParams = {}): SqlWork<FoldedFile[]> {
  const columns = 'file, bytes, calls, first_ms, last_ms, state'
  const rows = yield* all<UsageFileRow>(`SELECT ${columns} FROM usage_files ${condition} ORDER BY file`, params)
  return rows.map(({ first_ms, last_ms, ...row }) => ({
    ...row,
    firstMs: fromColumn(first_ms),
    lastMs: fromColumn(last_ms),
  }))
}
