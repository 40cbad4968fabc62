import type { Config } from '../config/load.ts'
import { redactPassword } from '../config/store-errors.ts'
import type { MoveListener } from '../store/migration/move.ts'
import type { MovedProof } from '../store/migration/moved-rows.ts'
import { hasMoved, moveFolder } from '../store/move-to-database.ts'
import { moveDatabase } from '../store/move-to-folder.ts'
import { findBlobs } from './blobs.ts'
import { fetchFiles } from './fetch-files.ts'
import { requireUnusedBlobs, type SharedFiles, shareFiles } from './share-files.ts'

export type { MoveListener, MoveStep } from '../store/migration/move.ts'

/** A completed move; `data` is where the data was. */
export interface MigrationResult {
  readonly data: string
  readonly to: string
  /** Tables as they are on both sides; empty if an earlier run had copied them. */
  readonly tables: readonly MovedProof[]
  /** The files that nodes share; missing if it stays in the folder. */
  readonly files?: SharedFiles
}

/**
 * Moves the contents of the configured database to the data folder, which is new, while nodes serve.
 * `pepperFile` is a copy of the pepper of the nodes. Throws StoreError.
 */
export async function migrateToFolder(
  { data, store: url, blobs: place }: Config,
  pepperFile: string,
  listener: MoveListener,
): Promise<MigrationResult> {
  const blobs = place === undefined ? undefined : await findBlobs({ blobs: place })
  let files: SharedFiles | undefined
  const tables = await moveDatabase(url, data, {
    ...listener,
    pepperFile,
    copyFiles: async (layout, state) => {
      if (blobs) files = await fetchFiles(blobs, layout, state)
    },
  })
  return { data: redactPassword(url), to: data, tables: tables ?? [], ...(files && { files }) }
}

/**
 * Moves the data folder to a PostgreSQL database, and with `blobs`, what nodes share to that place. Throws the
 * errors of moveFolder, and StoreError if the blobs cannot be used.
 */
export async function migrateToDatabase(
  config: Config,
  url: string,
  blobs: string | undefined,
  listener: MoveListener,
): Promise<MigrationResult> {
  const { data } = config
  if (blobs !== undefined && !hasMoved(data)) await requireUnusedBlobs(blobs)
  const tables = (await moveFolder(data, url, listener)) ?? []
  if (blobs !== undefined) listener.onStep('share')
  const files = blobs === undefined ? undefined : await shareFiles({ ...config, store: url, blobs })
  return { data, to: redactPassword(url), tables, ...(files && { files }) }
}
