import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { SharedIndex } from '../domain/shared-indexes.ts'
import { StoreError } from '../domain/store-errors.ts'
import { replaceFile } from '../kit/replace-file.ts'
import {
  type Arrival,
  clearArrival,
  completeArrival,
  createArrivalFolder,
  readArrival,
  requireEmpty,
  writeArrival,
} from './folder/arrival.ts'
import * as gate from './folder/gate.ts'
import type { Layout } from './folder/layout.ts'
import { lockMigration } from './folder/moved.ts'
import { readPepper } from './folder/pepper.ts'
import { type MoveListener, moveStores } from './migration/move.ts'
import type { MovedProof } from './migration/moved-rows.ts'
import { withoutPassword } from './move-to-database.ts'
import { type MovedFromDatabase, type NumberedCopy, openPostgresSource } from './postgres/moved-source.ts'
import { getSqliteFiles } from './sqlite/files.ts'
import { createSqliteIdentities } from './sqlite/identity.ts'
import { openSqliteTarget } from './sqlite/moved-target.ts'

export type { NumberedCopy }

/** The files in the blobs, as the database knows them. */
export interface StateOfFiles {
  /** The journals of all nodes, with the numbers that the files get. */
  readonly copies: readonly NumberedCopy[]
  /** Returns the newest search index of a format. */
  findIndex(format: number): Promise<SharedIndex | undefined>
  /** True when no node serves any more. */
  readonly isFinal: boolean
}

/** Dependencies of a move to a folder. */
export interface MoveToFolderParts extends MoveListener {
  /** Path of a copy of the pepper of the nodes. */
  readonly pepperFile: string
  /** Copies the files of the nodes: while they serve, and again when they have ended. */
  readonly copyFiles: (layout: Layout, state: StateOfFiles) => Promise<void>
}

/**
 * Moves the contents of a PostgreSQL database to a new data folder, while nodes and imports may run. Nothing
 * opens the folder before the move is complete, and the database takes no changes afterwards. Safe to interrupt and
 * rerun. Returns what both sides have; undefined if an earlier run has copied it. Throws StoreError.
 */
export async function moveDatabase(
  url: string,
  folder: string,
  parts: MoveToFolderParts,
): Promise<readonly MovedProof[] | undefined> {
  if (!readArrival(folder)) requireEmpty(folder)
  const source = await openPostgresSource(url)
  try {
    requirePepper(source, parts.pepperFile)
    const arrival = readArrival(folder) ?? { from: withoutPassword(url), id: randomUUID() }
    if (arrival.from !== withoutPassword(url))
      throw new StoreError(`The contents of ${arrival.from} are being moved to ${folder}. Name another folder.`)
    const isCopied = source.moved?.id === arrival.id
    if (source.moved && !isCopied) throw new StoreError(`${source.name} has moved to ${source.moved.to}.`)
    createArrivalFolder(folder)
    const lock = lockMigration(folder)
    try {
      const proofs = isCopied ? undefined : await copyDatabase(source, folder, arrival, parts)
      completeArrival(folder)
      return proofs
    } finally {
      lock.release()
    }
  } finally {
    await source.close()
  }
}

async function copyDatabase(source: MovedFromDatabase, folder: string, arrival: Arrival, parts: MoveToFolderParts) {
  writeArrival(folder, arrival)
  clearArrival(folder)
  const layout = createFolder(folder, parts.pepperFile)
  const target = await openSqliteTarget(getSqliteFiles(layout))
  try {
    return await moveStores({
      source,
      target,
      columnsOf: table => source.columnsOf(table),
      lockImports: () => source.lockImports(),
      endServices: () => source.endServices(),
      copyFiles: async isFinal => {
        const findIndex = (format: number) => source.findIndex(format)
        await parts.copyFiles(layout, { copies: await source.copies(), findIndex, isFinal })
      },
      mark: () => {
        target.flush()
        source.setMoved({ id: arrival.id, to: `the folder ${resolve(folder)} of ${hostname()}` })
        return { withdraw: () => {} }
      },
      onStep: parts.onStep,
      onProgress: parts.onProgress,
    })
  } finally {
    target.close()
  }
}

/** Throws StoreError if a file is not the pepper of a database. */
function requirePepper({ name, pepperCheck }: MovedFromDatabase, file: string): void {
  const pepper = readPepper(file)
  if (pepper.state !== 'intact' || pepper.check !== pepperCheck)
    throw new StoreError(
      `${file} is not the pepper of ${name}, so no API key would work. Name a copy of the file pepper of a node with PERIPLUS_PEPPER_FILE.`,
    )
}

/** Creates a data folder with the pepper of the nodes. */
function createFolder(folder: string, pepperFile: string): Layout {
  const identities = createSqliteIdentities(folder)
  const layout = gate.openFolder(folder, identities, { create: true })
  replaceFile(layout.pepper, readFileSync(pepperFile))
  const pepper = readPepper(layout.pepper)
  identities.updateIdentity(identity => ({
    ...identity,
    pepperCheck: pepper.state === 'intact' ? pepper.check : undefined,
  }))
  return layout
}
