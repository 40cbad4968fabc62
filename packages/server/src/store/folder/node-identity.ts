import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../../domain/store-errors.ts'
import { replaceFile } from '../../kit/replace-file.ts'
import type { FolderIdentity, IdentityStores } from './identity.ts'
import { firstGeneration, locateLayout } from './layout.ts'
import { holdLock } from './lock.ts'
import { readPepper } from './pepper.ts'

/** Name of the file that identifies the folder of a node whose stores are in PostgreSQL. */
export const nodeFileName = 'node.json'

/** The contents of the file. */
export interface NodeIdentity extends Partial<FolderIdentity> {
  /** Id of the node. */
  readonly folderId: string
  /** Id of the database that the journal is folded into; undefined until its first use. */
  readonly database?: string
  /** True until the ledger has been informed that the journal was recreated. */
  readonly hasDroppedFiles?: boolean
  /** The process that has registered as the node last, a UUID; undefined if limits have never been shared. */
  readonly instance?: string
  /** The processes that have registered before it, the last one first. */
  readonly earlierInstances?: readonly string[]
  /** The process that is about to register; the database may have it already. */
  readonly nextInstance?: string | undefined
}

const locateNode = (root: string): string => join(root, nodeFileName)

/** Reads the identity of a node's folder; undefined if the file is damaged. The file must exist. */
function readNode(root: string): NodeIdentity | undefined {
  try {
    const found = JSON.parse(readFileSync(locateNode(root), 'utf8')) as NodeIdentity
    return typeof found.folderId === 'string' ? found : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the identity in a folder; undefined if it is not the folder of a node, or if the file is damaged. */
export const findNode = (root: string): NodeIdentity | undefined => (isNodeFolder(root) ? readNode(root) : undefined)

/** Returns the identity of a node's folder that the gate has admitted. */
export const loadNode = (root: string): NodeIdentity => readNode(root)!

/** Changes the identity of a node's folder. */
export function changeNode(root: string, change: Partial<NodeIdentity>): void {
  const lock = holdLock(join(root, 'node-lock.sqlite'), `Another process is preparing ${root}. Try again.`)
  try {
    replaceFile(locateNode(root), `${JSON.stringify({ ...loadNode(root), ...change }, undefined, 2)}\n`)
  } finally {
    lock.release()
  }
}

/**
 * Stores the next instance of a node. An instance that a killed process has stored, and perhaps registered, is used
 * again.
 */
export function storeNextInstance(root: string): { readonly instance: string; readonly earlier: readonly string[] } {
  const { nextInstance = randomUUID() } = loadNode(root)
  changeNode(root, { nextInstance })
  return { instance: nextInstance, earlier: listInstances(root) }
}

/** Stores that the next instance of a node has registered. */
export const confirmInstance = (root: string, instance: string): void =>
  changeNode(root, {
    instance,
    nextInstance: undefined,
    earlierInstances: listInstances(root).slice(0, maxEarlierInstances),
  })

/** Number of earlier instances that a folder remembers: a database may be restored to a time before as many starts. */
const maxEarlierInstances = 200

/** Returns the instances of a node that have registered, the last one first. */
function listInstances(root: string): readonly string[] {
  const { instance, earlierInstances = [] } = loadNode(root)
  return instance === undefined ? earlierInstances : [instance, ...earlierInstances]
}

/** Makes the folder of another node of a database: with a copy of its pepper, the gate takes it for a new one. */
export function createNodeFolder(root: string, pepperFile: string): void {
  const { pepper } = locateLayout(root, firstGeneration)
  if (existsSync(pepper) || isNodeFolder(root)) return
  const { state } = readPepper(pepperFile)
  if (state !== 'intact')
    throw new StoreError(
      `PERIPLUS_PEPPER_FILE names ${pepperFile}, which is ${state}. Name a copy of the file pepper of another node.`,
    )
  mkdirSync(root, { recursive: true, mode: 0o700 })
  replaceFile(pepper, readFileSync(pepperFile))
}

/** Returns true for the folder of a node whose stores are in PostgreSQL. */
export const isNodeFolder = (root: string): boolean => existsSync(locateNode(root))

/**
 * Returns the stores of the folder of a node as the gate sees them: a file with its identity takes the place of both.
 * A folder that contains only a pepper, copied from another node, is a new one.
 */
export function createNodeIdentities(root: string): IdentityStores {
  const { journal, pepper } = locateLayout(root, firstGeneration)
  const identityOf = (node: NodeIdentity): FolderIdentity => ({
    folderId: node.folderId,
    generation: node.generation,
    storeId: node.storeId,
    pepperCheck: node.pepperCheck,
    hasJournal: node.hasJournal ?? false,
  })
  const contents = { ids: false, digests: false, usage: false }
  return {
    fileOf: () => nodeFileName,
    readControl: () => {
      if (!isNodeFolder(root))
        return existsSync(pepper) && !existsSync(journal)
          ? { state: 'intact', identity: undefined, contents, revision: 0 }
          : { state: 'missing', isNew: true }
      const node = readNode(root)
      return node ? { state: 'intact', identity: identityOf(node), contents, revision: 0 } : { state: 'damaged' }
    },
    readData: () => {
      if (!isNodeFolder(root)) return { state: 'missing' }
      const node = readNode(root)
      return { state: 'intact', folderId: node?.folderId, storeId: node?.storeId, controlRevision: 0 }
    },
    claimControl: folderId => {
      if (!isNodeFolder(root)) replaceFile(locateNode(root), `${JSON.stringify({ folderId })}\n`)
    },
    updateIdentity: work => {
      const next = work(identityOf(loadNode(root)))
      changeNode(root, next)
      return next
    },
    claimData: (_, folderId) => folderId,
    dropJournalFiles: () => changeNode(root, { hasDroppedFiles: true }),
    moveAway: (store, _, suffix) => {
      if (store === 'control' && isNodeFolder(root)) renameSync(locateNode(root), `${locateNode(root)}${suffix}`)
    },
  }
}
