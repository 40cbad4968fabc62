import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { JobStore } from '../../domain/job.ts'
import { getImport } from './get-import.ts'
import type { RejectsReader } from './list-rejects.ts'

/** Number of rejected rows for one reason and field, with the message of the first of them. */
export interface RejectCount {
  readonly reason: string
  readonly field: string | undefined
  readonly rows: number
  readonly detail: string
}

/** Maximum number of rejected rows that are counted. */
const maxRows = 100_000

/** Counts the rejected rows of an import by reason and field, most frequent first. */
export async function countRejects(
  stores: { readonly jobs: JobStore; readonly readRejects: RejectsReader },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<readonly RejectCount[] | AdminFault> {
  const run = await getImport(stores, actor, { id })
  if (isAdminFault(run)) return run
  const counts = new Map<string, RejectCount>()
  let read = 0
  for (const { file } of run.rejects)
    for await (const { reason, field, detail } of stores.readRejects(id, file)) {
      if (read++ === maxRows) break
      const name = `${reason} ${field ?? ''}`
      const before = counts.get(name)
      counts.set(name, { reason, field, detail: before?.detail ?? detail, rows: (before?.rows ?? 0) + 1 })
    }
  return [...counts.values()].sort((a, b) => b.rows - a.rows)
}
