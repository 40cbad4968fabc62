import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { JobStore, RejectedRow } from '../../domain/job.ts'
import { getImport } from './get-import.ts'

/** Reads the rows that an import has rejected, by their file (RejectsOfRun). Rows that are gone are omitted. */
export type RejectsReader = (job: string, file: string) => AsyncIterable<Omit<RejectedRow, 'input'>>

/** Selects rejected rows, in the order of the inputs. */
export interface RejectsQuery {
  readonly id: string
  readonly reason?: string | undefined
  /** Number of matching rows to skip. */
  readonly skip: number
  readonly limit: number
}

/** Returns a page of the rejected rows of an import, and whether more follow. */
export async function listRejects(
  stores: { readonly jobs: JobStore; readonly readRejects: RejectsReader },
  actor: Actor,
  { id, reason, skip, limit }: RejectsQuery,
): Promise<{ readonly rows: readonly RejectedRow[]; readonly hasMore: boolean } | AdminFault> {
  const run = await getImport(stores, actor, { id })
  if (isAdminFault(run)) return run
  const rows: RejectedRow[] = []
  let skipped = 0
  for (const { input, file } of run.rejects) {
    for await (const row of stores.readRejects(id, file)) {
      if (reason !== undefined && row.reason !== reason) continue
      if (skipped++ < skip) continue
      if (rows.length === limit) return { rows, hasMore: true }
      rows.push({ input, ...row })
    }
  }
  return { rows, hasMore: false }
}
