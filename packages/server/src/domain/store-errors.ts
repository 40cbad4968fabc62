import { defectText, type FolderDefect } from './data-folder.ts'

/** Thrown when a store cannot be used as requested. The message is user-facing and mentions no flags of a command. */
export class StoreError extends Error {}

/** Thrown when the data folder does not exist and the caller does not create one. */
export class MissingDataFolder extends StoreError {
  readonly folder: string

  constructor(folder: string) {
    super(`There is no Periplus data in ${folder}.`)
    this.folder = folder
  }
}

/** Thrown when the folder of a node does not exist whose stores are in a database. */
export class MissingNodeFolder extends MissingDataFolder {}

/** Thrown when parts of a data folder are missing, empty, damaged, or belong to another data folder. */
export class UnusableDataFolder extends StoreError {
  readonly folder: string
  readonly defects: readonly FolderDefect[]

  constructor(folder: string, defects: readonly FolderDefect[]) {
    super(`The data folder ${folder} cannot be used. ${defects.map(defectText).join(' ')}`)
    this.folder = folder
    this.defects = defects
  }
}

/** Thrown when a newer release wrote a store, and this one does not know its schema. */
export class NewerSchema extends StoreError {
  readonly store: string
  readonly found: number
  readonly known: number

  /** `store` is the file or database by the name that the operator knows. */
  constructor(store: string, found: number, known: number) {
    super(
      `${store} has schema version ${found}, and this Periplus knows versions up to ${known}: ` +
        'it was written by a newer release. Run that release, or restore a backup made by this one.',
    )
    this.store = store
    this.found = found
    this.known = known
  }
}

/**
 * Cause of a StoreFailure. `missing`: the file was removed or replaced while it was open. `busy`: another process
 * wrote to the store for longer than a writer waits. `unavailable`: the server of the store cannot be used at the moment.
 */
export type StoreFailureKind = (typeof storeFailureKinds)[number]

export const storeFailureKinds = [
  'disk_full',
  'read_only',
  'descriptors',
  'io',
  'damaged',
  'missing',
  'busy',
  'unavailable',
] as const

const failureTexts: Readonly<Record<StoreFailureKind, string>> = {
  disk_full: 'cannot be written: its disk is full. Free some disk space and try again.',
  read_only: 'cannot be written: its disk or folder is read-only, or this user has no permission.',
  descriptors: 'cannot be opened: this process has too many open files. Increase its limit (ulimit -n) and try again.',
  io: 'cannot be read or written: the disk reports an error. Check the disk and the log of the system.',
  damaged: 'is damaged.',
  missing: 'was removed or replaced. Start the process again.',
  busy: 'was locked by another process for too long. Try again later.',
  unavailable: 'is not available. Check its server and try again.',
}

export interface StoreFailureOptions extends ErrorOptions {
  /** Rest of the message after the name of the store, if it says more than the kind. */
  readonly text?: string
}

/** Thrown when the disk, the system or the file itself prevents the use of a store. */
export class StoreFailure extends StoreError {
  readonly kind: StoreFailureKind
  /** Path of the file, or of the folder of temporary files; the name of a database of a server. */
  readonly file: string

  constructor(kind: StoreFailureKind, file: string, options: StoreFailureOptions = {}) {
    super(`${file} ${options.text ?? failureTexts[kind]}`, options)
    this.kind = kind
    this.file = file
  }
}

/** The failures of one kind that concerned one store. */
export interface StoreFailureCount {
  /** The name of the store as the operator knows it, or `other`. */
  readonly store: string
  readonly kind: StoreFailureKind
  /** Number of failures in this process and its threads. */
  readonly count: number
  /** Time of the last one; 0 without any failure. */
  readonly lastMs: number
}

/** A damaged file without irreplaceable contents, which was emptied or renamed, so that work continued. */
export interface ReplacedFile {
  readonly file: string
  /** New name of the file; undefined if it was emptied. */
  readonly renamedTo: string | undefined
}

/** Returns the user-facing message of a replaced file. */
export const describeReplacedFile = ({ file, renamedTo }: ReplacedFile): string =>
  renamedTo === undefined
    ? `${file} was damaged and has been emptied.`
    : `${file} was damaged. It has been renamed to ${renamedTo} and created again.`

/** Error codes of the system that have the same cause as a StoreFailure. */
const systemCodes: Readonly<Record<string, StoreFailureKind>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
  EIO: 'io',
}

/** The part of Node's ErrnoException that names a failure. */
interface SystemError {
  readonly code?: string
  readonly syscall?: string
  readonly path?: string
  /** The target of a copy or rename. */
  readonly dest?: string
}

/** A failure of a disk, and the file that it concerns. */
export interface DiskFailure {
  readonly kind: StoreFailureKind
  readonly file: string | undefined
}

/** Returns the failure that a StoreFailure or an error of the system reports; undefined for any other error. */
export function findDiskFailure(error: unknown): DiskFailure | undefined {
  if (error instanceof StoreFailure) return { kind: error.kind, file: error.file }
  const { code = '', syscall, path, dest } = error as SystemError
  // Node reports a recursive mkdir on a read-only disk as ENOENT.
  const kind = code === 'ENOENT' && syscall === 'mkdir' ? 'read_only' : systemCodes[code]
  return kind && { kind, file: kind === 'disk_full' || kind === 'read_only' ? (dest ?? path) : path }
}

/** Thrown when another process holds a lock. */
export class LockHeld extends StoreError {}

/** Thrown when another process serves the data folder. */
export class DataFolderServed extends LockHeld {
  readonly folder: string

  constructor(folder: string) {
    super(`Another Periplus process serves ${folder}.`)
    this.folder = folder
  }
}
