import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MissingDataFolder } from '../../domain/store-errors.ts'

/** Where everything lies in a data folder (ARCHITECTURE.md). */
export interface Layout {
  readonly root: string
  /** Partners, keys, ids: what cannot be rebuilt. */
  readonly control: string
  /** Locations, reviews, change log: what can. The present generation's folder. */
  readonly generation: string
  readonly data: string
  /** The search index, made from `data`. */
  readonly index: string
  readonly pepper: string
  /** The usage journal's folder. */
  readonly journal: string
  /** Snapshots of the feeds, and the key that signs them. */
  readonly feeds: string
  /** The feed snapshots that keys have begun to download. */
  readonly feedDownloads: string
  /** The address under which the folder was served last. */
  readonly publicUrl: string
  readonly serveLock: string
  readonly importLock: string
}

const current = (root: string) => join(root, 'data', 'CURRENT')

/**
 * The layout of `root`. The data store lies in a generation folder that the file `data/CURRENT` names, so that a
 * rebuilt store replaces an open one by an atomic rename of that pointer, never of a database. Makes the folder and
 * its first generation when `create`; otherwise a missing folder is an error with a sentence.
 */
export function layoutOf(root: string, options: { create: boolean }): Layout {
  if (!existsSync(current(root))) {
    if (!options.create) throw new MissingDataFolder(root)
    mkdirSync(join(root, 'data', 'g1'), { recursive: true })
    pointTo(root, 'g1')
  }
  const generation = join(root, 'data', readFileSync(current(root), 'utf8').trim())
  return {
    root,
    control: join(root, 'control.sqlite'),
    generation,
    data: join(generation, 'data.sqlite'),
    index: join(generation, 'search.index'),
    pepper: join(root, 'pepper'),
    journal: join(root, 'journal'),
    feeds: join(root, 'feeds'),
    feedDownloads: join(root, 'feeds', 'downloads.sqlite'),
    publicUrl: join(root, 'public-url'),
    serveLock: join(root, 'lock.sqlite'),
    importLock: join(root, 'import-lock.sqlite'),
  }
}

function pointTo(root: string, generation: string): void {
  const next = `${current(root)}.${process.pid}.tmp`
  writeFileSync(next, `${generation}\n`)
  renameSync(next, current(root))
}
