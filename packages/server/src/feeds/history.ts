import type { KeyObject } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Edition, type Gone, listParts } from '../domain/feed.ts'
import type { StorePosition } from '../domain/feed-stores.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { createSignatureCheck } from './manifest.ts'
import {
  editionFolder,
  readGone,
  readJsonFile,
  readSnapshotManifest,
  type StoredManifest,
  snapshotIdPattern,
} from './snapshot-files.ts'
import { digestsName, goneName, manifestName, resultName, sourceName } from './snapshot-names.ts'
import type { FeedWorkspace } from './workspace.ts'

/** A completed snapshot of an edition, available or gone. */
export interface PastSnapshot extends StoredManifest {
  readonly folder: string
  readonly gone: Gone | undefined
}

/** The published snapshots of an edition. */
export interface EditionHistory {
  /** The snapshots whose manifest is intact, available or gone, the oldest first. */
  readonly snapshots: readonly PastSnapshot[]
  /** Folders of the snapshots whose manifest is damaged and that no build has ended yet. */
  readonly damaged: readonly string[]
  /** The snapshot that was published last; undefined if it is damaged or lost, so that no delta can follow it. */
  readonly newest: PastSnapshot | undefined
  /** Sequence number that was assigned last; 0 before the first snapshot. Numbers and ids are never assigned again. */
  readonly lastSequence: number
  /** Id of the snapshot that was published last; it may be lost. */
  readonly lastId: string | undefined
  /** All ids that have a folder. */
  readonly ids: readonly string[]
}

/** The snapshot of an edition that was published last. */
export interface LastPublished {
  readonly snapshot_id: string
  readonly sequence: number
}

/** Returns the file of LastPublished. */
export const lastFile = (root: string, edition: Edition): string => join(editionFolder(root, edition), 'last.json')

/** Records the snapshot that was published last, in case its manifest is damaged or lost. */
export const writeLastPublished = (root: string, edition: Edition, { snapshot_id, sequence }: LastPublished): void =>
  replaceFile(lastFile(root, edition), JSON.stringify({ snapshot_id, sequence }))

/**
 * Reads the published snapshots of an edition. With `key`, a manifest counts as damaged if its signature by this key is
 * invalid.
 */
export function readHistory(root: string, edition: Edition, key?: KeyObject): EditionHistory {
  const home = editionFolder(root, edition)
  const ids = existsSync(home) ? readdirSync(home).filter(name => snapshotIdPattern.test(name)) : []
  const snapshots: PastSnapshot[] = []
  const damaged: string[] = []
  const hasBrokenSignature = key && createSignatureCheck(key)
  for (const id of ids) {
    const folder = join(home, id)
    const stored = readSnapshotManifest(folder, edition)
    const gone = readGone(folder)
    if (!stored || gone?.reason === 'damaged') continue
    const isDamaged = stored === 'damaged' || hasBrokenSignature?.(stored.bytes) === true
    if (!isDamaged) snapshots.push({ ...stored, folder, gone })
    else if (!gone) damaged.push(folder)
  }
  snapshots.sort((a, b) => a.manifest.sequence - b.manifest.sequence)
  const last = readJsonFile<LastPublished>(lastFile(root, edition))
  const lastIntact = snapshots.at(-1)?.manifest.sequence ?? 0
  // Without the record, each damaged snapshot may be newer than those that are intact.
  const lastSequence = Number.isSafeInteger(last?.sequence)
    ? Math.max(lastIntact, last!.sequence!)
    : lastIntact + damaged.length
  return {
    snapshots,
    damaged,
    lastSequence,
    ids,
    newest: lastSequence === lastIntact ? snapshots.at(-1) : undefined,
    lastId: typeof last?.snapshot_id === 'string' ? last.snapshot_id : ids.toSorted().at(-1),
  }
}

/** Inputs of a snapshot other than its records. If one of them differs between two snapshots, any line may differ. */
export interface Origin {
  readonly moment: StorePosition
  /** Id of the data store; release 0.1 did not record it. */
  readonly storeId?: string | undefined
  readonly publicUrl: string
  /** Release of Periplus whose presenters wrote the lines. */
  readonly release: string
}

export const writeOrigin = (folder: string, origin: Origin): void =>
  replaceFile(join(folder, sourceName), JSON.stringify(origin))

/** Reads the origin of a snapshot; undefined if it is not known, because its file is missing or damaged. */
export function readOrigin({ folder }: PastSnapshot): Origin | undefined {
  const { moment, storeId, publicUrl, release } = readJsonFile<Origin>(join(folder, sourceName)) ?? {}
  const isKnown = Number.isSafeInteger(moment?.seq) && publicUrl !== undefined && release !== undefined
  return isKnown ? { moment: moment!, storeId, publicUrl, release } : undefined
}

/**
 * Returns the file with the digests of all records in the result of a snapshot; undefined if the snapshot is neither
 * the newest one nor an available full snapshot.
 */
export async function findResult(
  { manifest, folder }: PastSnapshot,
  workspace: FeedWorkspace,
): Promise<string | undefined> {
  const file = join(folder, manifest.kind === 'full' ? digestsName : resultName)
  return (await workspace.fetch(file)) ? file : undefined
}

/**
 * Prepares an edition for a build: deletes the remains of killed builds, and ends damaged snapshots. Returns the
 * manifests of the latter, and the history that remains. The caller holds the build lock. `key` is the public signing
 * key.
 */
export function cleanEdition(
  root: string,
  edition: Edition,
  key: KeyObject,
  at: string,
): { readonly ended: readonly string[]; readonly history: EditionHistory } {
  const home = editionFolder(root, edition)
  for (const name of readdirSync(home)) {
    const folder = join(home, name)
    const isSnapshot = snapshotIdPattern.test(name)
    const isPublished = existsSync(join(folder, manifestName)) || existsSync(join(folder, goneName))
    if (isSnapshot ? !isPublished : name.startsWith('draft-')) remove(folder)
  }
  const history = readHistory(root, edition, key)
  const ended = endDamaged(root, edition, history, { reason: 'damaged', at })
  deleteObsolete(history)
  return { ended, history: ended.length > 0 ? readHistory(root, edition, key) : history }
}

/** Ends the snapshots whose manifest is damaged, and returns the manifests. Their numbers and ids remain assigned. */
export function endDamaged(root: string, edition: Edition, history: EditionHistory, gone: Gone): string[] {
  const { damaged, lastSequence, lastId } = history
  if (damaged.length > 0) writeLastPublished(root, edition, { snapshot_id: lastId!, sequence: lastSequence })
  return damaged.map(folder => {
    replaceFile(join(folder, goneName), JSON.stringify(gone))
    for (const name of readdirSync(folder)) if (![manifestName, goneName].includes(name)) remove(join(folder, name))
    return join(folder, manifestName)
  })
}

/** Deletes files that are no longer needed: results of all but the newest snapshot, and contents of gone snapshots. */
export function deleteObsolete({ snapshots }: EditionHistory): void {
  const newest = snapshots.at(-1)
  for (const past of snapshots) {
    if (past !== newest) remove(join(past.folder, resultName))
    if (past.gone) deleteContents(past, past === newest)
  }
}

/** Ends a snapshot: requests for it return 410, and its parts are deleted. The inputs of the next delta remain. */
export function endSnapshot(past: PastSnapshot, gone: Gone, { isNewest }: { readonly isNewest: boolean }): void {
  replaceFile(join(past.folder, goneName), JSON.stringify(gone))
  deleteContents(past, isNewest)
}

function deleteContents({ manifest, folder }: PastSnapshot, isNewest: boolean): void {
  for (const { name } of listParts(manifest)) remove(join(folder, name))
  if (!isNewest || manifest.kind === 'delta') remove(join(folder, digestsName))
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true })
