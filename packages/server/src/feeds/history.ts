import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, Gone, Manifest } from '../domain/feed.ts'
import type { StoreMoment } from '../domain/stores.ts'
import { writeDurably } from './durable.ts'
import { parseManifest } from './manifest.ts'
import { editionFolder, goneName, manifestName, snapshotIdPattern } from './snapshots.ts'

/** A snapshot that was completed once, be it there or gone: what the next one is built upon. */
export interface Past {
  readonly manifest: Manifest
  readonly folder: string
  readonly gone: Gone | undefined
}

/** What lies in a snapshot's folder beside its manifest and its parts. */
export const digestsName = 'digests.zst'
export const resultName = 'result.zst'
const sourceName = 'source.json'

/** All that were ever completed in an edition, oldest first. */
export function historyOf(root: string, edition: Edition): Past[] {
  const home = editionFolder(root, edition)
  const names = existsSync(home) ? readdirSync(home).filter(name => snapshotIdPattern.test(name)) : []
  return names
    .map(name => pastIn(join(home, name)))
    .filter(past => past !== undefined)
    .sort((a, b) => a.manifest.sequence - b.manifest.sequence)
}

function pastIn(folder: string): Past | undefined {
  const file = join(folder, manifestName)
  const manifest = existsSync(file) ? parseManifest(readFileSync(file, 'utf8')) : undefined
  const end = join(folder, goneName)
  const gone = existsSync(end) ? (JSON.parse(readFileSync(end, 'utf8')) as Gone) : undefined
  return manifest && { manifest, folder, gone }
}

/** What lines are made from besides the records: where it differs, any line may. */
export interface Origin {
  readonly moment: StoreMoment
  readonly publicUrl: string
  /** Of Periplus, whose presenters made the lines. */
  readonly release: string
}

export const writeOrigin = (folder: string, origin: Origin): void =>
  writeDurably(join(folder, sourceName), JSON.stringify(origin))

export function originOf({ folder }: Past): Origin | undefined {
  const file = join(folder, sourceName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Origin) : undefined
}

/** The digests of the whole set that a snapshot results in: kept for the newest one, and for every full that is there. */
export function resultOf({ manifest, folder }: Past): string | undefined {
  const file = join(folder, manifest.kind === 'full' ? digestsName : resultName)
  return existsSync(file) ? file : undefined
}

/** Deletes what a killed build has left: drafts, and folders that never got a manifest. */
export function clearLeftovers(root: string, edition: Edition): void {
  const home = editionFolder(root, edition)
  if (!existsSync(home)) return
  for (const name of readdirSync(home)) {
    const folder = join(home, name)
    const isSnapshot = snapshotIdPattern.test(name)
    if (!isSnapshot || (!existsSync(join(folder, manifestName)) && !existsSync(join(folder, goneName))))
      rmSync(folder, { recursive: true, force: true })
  }
  dropOld(historyOf(root, edition))
}

/** Deletes what nobody needs any longer: the result of any but the newest snapshot, and the contents of what is gone. */
export function dropOld(history: readonly Past[]): void {
  const newest = history.at(-1)
  for (const past of history) {
    if (past !== newest) rmSync(join(past.folder, resultName), { force: true })
    if (past.gone) deleteContents(past, past === newest)
  }
}

/** Ends a snapshot: from now on it answers 410, and its parts are deleted. What the next one is built upon stays. */
export function end(past: Past, gone: Gone, { isNewest }: { readonly isNewest: boolean }): void {
  writeDurably(join(past.folder, goneName), JSON.stringify(gone))
  deleteContents(past, isNewest)
}

function deleteContents({ manifest, folder }: Past, isNewest: boolean): void {
  for (const { name } of manifest.files) rmSync(join(folder, name), { force: true })
  if (!isNewest || manifest.kind === 'delta') rmSync(join(folder, digestsName), { force: true })
}
