import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderDefectKind } from '../../domain/data-folder.ts'
import { UnusableDataFolder } from '../../domain/store-errors.ts'
import { replaceFile } from '../../kit/replace-file.ts'

/** Paths in a data folder that do not depend on the engine (ARCHITECTURE.md). */
export interface Layout {
  readonly root: string
  /** File that names the current generation. */
  readonly current: string
  /** Folder of the current generation: stores that can be imported again, and files that are built from them. */
  readonly generation: string
  /** File of the search index. */
  readonly index: string
  /** File of the index of reviews. */
  readonly reviewsIndex: string
  /** File of the secret of the key digests. */
  readonly pepper: string
  /** Folder of the usage journal. */
  readonly journal: string
  /** Folder of the feed snapshots and of the key that signs them. */
  readonly feeds: string
  /** Folder in which feeds are built that nodes share. */
  readonly feedsWorkspace: string
  /** Folder with a folder for each job that runs: its locks, and its uploaded input. */
  readonly jobs: string
  /** Folder of the rows that imports rejected. */
  readonly rejects: string
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

/** The generation of a new data folder. */
export const firstGeneration = 'g1'

/** Returns the paths in the data folder `root` with a current generation. */
export function locateLayout(root: string, generation: string): Layout {
  const folder = join(root, 'data', generation)
  return {
    root,
    current: join(root, 'data', 'CURRENT'),
    generation: folder,
    index: join(folder, 'search.index'),
    reviewsIndex: join(folder, 'reviews.index'),
    pepper: join(root, 'pepper'),
    journal: join(root, 'journal'),
    feeds: join(root, 'feeds'),
    feedsWorkspace: join(root, 'feeds-workspace'),
    jobs: join(root, 'jobs'),
    rejects: join(root, 'rejects'),
    publicUrl: join(root, 'public-url'),
    serveLock: locateLocks(root).serve,
  }
}

/** Returns the file of the packed bodies of a version of the partner API. */
export const locatePacked = ({ generation }: Layout, version: string): string =>
  join(generation, `bodies-${version}${packedEnding}`)

/** Returns the files of packed bodies of a generation. */
export const listPacked = ({ generation }: Layout): string[] =>
  (existsSync(generation) ? readdirSync(generation) : [])
    .filter(name => name.endsWith(packedEnding))
    .map(name => join(generation, name))

/** Returns true for a file of packed bodies, or a draft of one. */
export const isPackedFile = (path: string): boolean => path.replace(/\.[\da-f]{16}\.new$/, '').endsWith(packedEnding)

const packedEnding = '.packed'

/** Returns the layout of a data folder that the gate has admitted (gate.ts). */
export function openLayout(root: string): Layout {
  const current = readCurrent(root)
  if (current.state === 'intact') return locateLayout(root, current.generation)
  throw new UnusableDataFolder(root, [{ part: 'current', file: 'data/CURRENT', kind: current.state }])
}

/** The contents of `data/CURRENT`, or why it names no generation. */
export type CurrentReading =
  | { readonly state: 'intact'; readonly generation: string }
  | { readonly state: FolderDefectKind }

/**
 * Reads `data/CURRENT`, which contains the name of the current generation folder: a rebuilt data store replaces an open
 * one by an atomic rename of that file, never of a database.
 */
export function readCurrent(root: string): CurrentReading {
  const { current } = locateLayout(root, firstGeneration)
  const found = statSync(current, { throwIfNoEntry: false })
  if (!found) return { state: 'missing' }
  if (!found.isFile()) return { state: 'damaged' }
  if (found.size === 0) return { state: 'empty' }
  const generation = readFileSync(current, 'utf8').trim()
  if (!/^g\d{1,9}$/.test(generation)) return { state: 'damaged' }
  const isFolder = statSync(join(root, 'data', generation), { throwIfNoEntry: false })?.isDirectory()
  return isFolder ? { state: 'intact', generation } : { state: 'damaged' }
}

/** Makes a generation the current one. */
export const setCurrent = ({ current }: Layout, generation: string): void => replaceFile(current, `${generation}\n`)
