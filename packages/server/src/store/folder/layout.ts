import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MissingDataFolder } from '../../domain/store-errors.ts'

/** Paths in a data folder that do not depend on the engine (ARCHITECTURE.md). */
export interface Layout {
  readonly root: string
  /** Folder of the current generation: stores that can be imported again, and files that are built from them. */
  readonly generation: string
  /** File of the search index. */
  readonly index: string
  /** File of the secret of the key digests. */
  readonly pepper: string
  /** Folder of the usage journal. */
  readonly journal: string
  /** Folder of the feed snapshots and of the key that signs them. */
  readonly feeds: string
  /** File with the public URL under which the folder was last served. */
  readonly publicUrl: string
  /** Lock file of the process that serves the folder. */
  readonly serveLock: string
}

/** Returns the lock files of the processes that use a data folder. */
export const locateLocks = (root: string) => ({
  serve: join(root, 'lock.sqlite'),
  import: join(root, 'import-lock.sqlite'),
})

const currentFile = (root: string) => join(root, 'data', 'CURRENT')

/**
 * Returns the layout of `root`. If the folder is missing, creates it and its first generation; unless `create` is true,
 * it throws MissingDataFolder. The file `data/CURRENT` contains the name of the current generation folder: a rebuilt
 * data store replaces an open one by an atomic rename of that file, never of a database.
 */
export function openLayout(root: string, options: { create: boolean }): Layout {
  if (!existsSync(currentFile(root))) {
    if (!options.create) throw new MissingDataFolder(root)
    mkdirSync(join(root, 'data', 'g1'), { recursive: true })
    setCurrentGeneration(root, 'g1')
  }
  const generation = join(root, 'data', readFileSync(currentFile(root), 'utf8').trim())
  return {
    root,
    generation,
    index: join(generation, 'search.index'),
    pepper: join(root, 'pepper'),
    journal: join(root, 'journal'),
    feeds: join(root, 'feeds'),
    publicUrl: join(root, 'public-url'),
    serveLock: locateLocks(root).serve,
  }
}

function setCurrentGeneration(root: string, generation: string): void {
  const next = `${currentFile(root)}.${process.pid}.tmp`
  writeFileSync(next, `${generation}\n`)
  renameSync(next, currentFile(root))
}
