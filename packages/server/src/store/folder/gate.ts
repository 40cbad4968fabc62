import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { FolderDefect, FolderPart } from '../../domain/data-folder.ts'
import { DataFolderServed, LockHeld, MissingDataFolder, UnusableDataFolder } from '../../domain/store-errors.ts'
import { syncFolder } from '../../kit/replace-file.ts'
import type { FolderIdentity, IdentityStores } from './identity.ts'
import { type FolderInspection, inspectFolder } from './inspect.ts'
import { markJournalFolder, readJournalFolder } from './journal-folder.ts'
import {
  firstGeneration,
  type Layout,
  listPacked,
  locateLayout,
  locateLocks,
  readCurrent,
  setCurrent,
} from './layout.ts'
import { holdLock } from './lock.ts'
import { createPepper, readPepper } from './pepper.ts'

/**
 * Checks a data folder before it is opened: the gate, which all code passes. Completes a folder that another
 * process had begun to make, and adopts one that an earlier release made. Throws MissingDataFolder if the folder does
 * not exist, unless `create` is true; UnusableDataFolder if a part is missing, empty, foreign or damaged; and
 * NewerSchema.
 */
export function openFolder(root: string, stores: IdentityStores, { create }: { readonly create: boolean }): Layout {
  const found = inspectFolder(root, stores)
  if (found.state === 'absent' && !create) throw new MissingDataFolder(root)
  if (found.defects.length > 0) throw new UnusableDataFolder(root, found.defects)
  return found.state === 'complete' ? found.layout : completeFolder(root, stores, found)
}

/**
 * Recreates the defective ones among `parts`, and returns their defects. What was there is renamed. Throws as
 * openFolder does, also if other parts are defective, and LockHeld while a service or an import uses the folder.
 */
export function recreateParts(
  root: string,
  stores: IdentityStores,
  parts: readonly FolderPart[],
  nowMs: number,
): readonly FolderDefect[] {
  if (inspectFolder(root, stores).state === 'absent') throw new MissingDataFolder(root)
  const locks = lockForRecreation(root)
  try {
    const found = inspectFolder(root, stores)
    const others = found.defects.filter(({ part }) => !parts.includes(part))
    if (others.length > 0) throw new UnusableDataFolder(root, others)
    const suffix = `.replaced-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}.bak`
    for (const { part } of found.defects) moveAway(part, found, stores, suffix)
    const isDefective = (part: FolderPart) => found.defects.some(defect => defect.part === part)
    if (found.defects.length === 0) return []
    stores.claimControl(found.folderId ?? uuidv7())
    stores.updateIdentity(identity => {
      if (isDefective('journal')) stores.dropJournalFiles()
      return {
        ...identity,
        storeId: isDefective('data') ? undefined : identity.storeId,
        pepperCheck: isDefective('pepper') ? undefined : identity.pepperCheck,
        hasJournal: identity.hasJournal && !isDefective('journal'),
      }
    })
    completeFolder(root, stores, found)
    return found.defects
  } finally {
    for (const lock of locks) lock.release()
  }
}

/** Takes the locks of services and imports. */
function lockForRecreation(root: string): { release: () => void }[] {
  const files = locateLocks(root)
  const serve = lockOrThrow(files.serve, new DataFolderServed(root))
  try {
    return [serve, lockOrThrow(files.import, new LockHeld(`An import is running on ${root}. Wait until it has ended.`))]
  } catch (error) {
    serve.release()
    throw error
  }
}

function lockOrThrow(file: string, held: LockHeld): { release: () => void } {
  try {
    return holdLock(file, held.message)
  } catch (error) {
    throw error instanceof LockHeld ? held : error
  }
}

/** Renames what is left of a part. */
function moveAway(part: FolderPart, { layout, generation }: FolderInspection, stores: IdentityStores, suffix: string) {
  if (part === 'control' || part === 'data') stores.moveAway(part, generation, suffix)
  if (part === 'data')
    for (const path of [layout.index, layout.reviewsIndex, ...listPacked(layout)]) rmSync(path, { force: true })
  if (part === 'pepper' || part === 'current' || part === 'journal') {
    const path = layout[part]
    if (statSync(path, { throwIfNoEntry: false })) renameSync(path, `${path}${suffix}`)
  }
}

/**
 * Makes every part that the control store does not list yet, or adopts the one that exists. The identity is stored
 * first and the list of required parts last, so that a kill in between leaves a folder that the next call completes.
 */
function completeFolder(root: string, stores: IdentityStores, found: FolderInspection): Layout {
  mkdirSync(join(root, 'data'), { recursive: true, mode: 0o700 })
  stores.claimControl(found.folderId ?? uuidv7())
  const { generation } = stores.updateIdentity(identity => completeParts(root, stores, identity))
  return locateLayout(root, generation ?? firstGeneration)
}

/** Makes the parts that `identity` lacks, and returns the complete identity. */
function completeParts(root: string, stores: IdentityStores, identity: FolderIdentity): FolderIdentity {
  const { folderId } = identity
  const current = readCurrent(root)
  const found = current.state === 'intact' ? current.generation : undefined
  const generation = identity.generation ?? found ?? firstGeneration
  const layout = locateLayout(root, generation)
  mkdirSync(layout.generation, { recursive: true, mode: 0o700 })
  if (found !== generation) setCurrent(layout, generation)
  const storeId = identity.storeId ?? stores.claimData(generation, folderId)
  const pepperCheck = identity.pepperCheck ?? adoptPepper(layout)
  const journal = readJournalFolder(layout.journal)
  if (journal.state !== 'intact' || journal.folderId === undefined) markJournalFolder(layout.journal, folderId)
  for (const folder of [layout.generation, join(root, 'data'), layout.journal, root]) syncFolder(folder)
  return { folderId, generation, storeId, pepperCheck, hasJournal: true }
}

/** Returns the check value of the pepper, which is created unless there is one. */
function adoptPepper({ root, pepper: file }: Layout): string {
  if (readPepper(file).state !== 'intact') createPepper(file)
  const pepper = readPepper(file)
  if (pepper.state === 'intact') return pepper.check
  throw new UnusableDataFolder(root, [{ part: 'pepper', file: 'pepper', kind: pepper.state }])
}
