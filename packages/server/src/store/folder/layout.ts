import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MissingDataFolder } from '../../domain/store-errors.ts'

/** Paths in a data folder that do not depend on the engine (ARCHITECTURE.md). */
export interface Layout {
  readonly root: string
  /** The folder of the present generation: stores that can be rebuilt, and what is built from them. */
  readonly generation: string
  /** The search index. */
  readonly index: string
  readonly pepper: string
  /** The usage journal's folder. */
  readonly journal: string
  /** Snapshots of the feeds, and the key that signs them. */
  readonly feeds: string
  /** The address under which the folder was served last. */
  readonly publicUrl: string
  /** Held by the process that serves the folder. */
  readonly serveLock: string
}

const current = (root: string) => join(root, 'data', 'CURRENT')

/**
 * Returns the layout of `root`. The data store is in a generation folder that the file `data/CURRENT` names, so that a
 * rebuilt store replaces an open one by an atomic rename of that pointer, never of a database. When the folder is missing,
 * creates it and its first generation, or throws MissingDataFolder unless `create`.
 */
export function openLayout(root: string, options: { create: boolean }): Layout {
  if (!existsSync(current(root))) {
    if (!options.create) throw new MissingDataFolder(root)
    mkdirSync(join(root, 'data', 'g1'), { recursive: true })
    pointTo(root, 'g1')
  }
  const generation = join(root, 'data', readFileSync(current(root), 'utf8').trim())
  return {
    root,
    generation,
    index: join(generation, 'search.index'),
    pepper: join(root, 'pepper'),
    journal: join(root, 'journal'),
    feeds: join(root, 'feeds'),
    publicUrl: join(root, 'public-url'),
    serveLock: join(root, 'lock.sqlite'),
  }
}

function pointTo(root: string, generation: string): void {
  const next = `${current(root)}.${process.pid}.tmp`
  writeFileSync(next, `${generation}\n`)
  renameSync(next, current(root))
}
