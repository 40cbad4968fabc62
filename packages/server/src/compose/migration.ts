import { redactPassword } from '../config/store-errors.ts'
import { moveFolder } from '../store/engine.ts'
import type { MoveListener } from '../store/migration/move.ts'
import type { MovedProof } from '../store/migration/moved-rows.ts'

export type { MoveListener, MoveStep } from '../store/migration/move.ts'

/** A completed move. */
export interface MigrationResult {
  readonly data: string
  readonly to: string
  /** Tables as they are on both sides; empty if an earlier run had copied them. */
  readonly tables: readonly MovedProof[]
}

/** Moves the data folder to a PostgreSQL database. Throws the errors of moveFolder. */
export async function migrateToDatabase(data: string, url: string, listener: MoveListener): Promise<MigrationResult> {
  const tables = (await moveFolder(data, url, listener)) ?? []
  return { data, to: redactPassword(url), tables }
}
