import type { Actor } from './actor.ts'
import type { AdminFault } from './admin-fault.ts'
import type { CategoryMap } from './category-map.ts'
import type { PossibleDuplicates } from './duplicates.ts'
import type { SyncResult } from './full-sync.ts'
import type { FieldMapping, ImportFormat, ImportInput, ImportObserver, ImportReport } from './import.ts'
import type { RecordKind } from './record-write.ts'

/** The fields of records that columns can be mapped to. */
export interface ImportFields {
  readonly fields: readonly string[]
  /** Returns true for a field, including members such as `names.en`. */
  isField(name: string): boolean
}

/** Imports into a data folder. */
export interface Imports extends ImportFields {
  /** Returns false for a path that does not exist or cannot be read. */
  isFolder(path: string): boolean
  /** Opens a file; `-` is standard input. */
  openInput(file: string): ImportInput | AdminFault
  /** Reads a JSON or CSV file of words and the categories that they are assigned to. */
  readCategoryMap(file: string): CategoryMap | AdminFault
  /**
   * Starts an import. Only one may run on a folder at a time, next to dry runs. Throws LockHeld if another one does not
   * end in time.
   */
  start(options: ImportMode): Promise<Importer>
}

/** The import that others wait for. */
export interface ImportHolder {
  /** The job of the import. */
  readonly job: string
  readonly actor: Actor
  /** Time since its start. */
  readonly seconds: number
}

/** The wait for another import. */
export interface ImportWait {
  readonly maxMs: number
  /** Job of this import, if a service has started it. */
  readonly job?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when the wait begins, and when another import has taken the lock; undefined: it is not recorded. */
  readonly onWait: (holder: ImportHolder | undefined) => void
}

/** Refuses at once. */
export const noWait: ImportWait = { maxMs: 0, onWait: () => {} }

export interface ImportMode {
  /** Stores nothing, and takes no lock. */
  readonly dryRun: boolean
  /** Default: `noWait`. */
  readonly wait?: ImportWait
  /** The source that the inputs contain in full: a full sync. */
  readonly replacedSource: string | undefined
}

/** A running import. A killed import leaves only complete batches. */
export interface Importer {
  /** Imports one input; checks the signal between batches. */
  importInput(input: ImportInput, options: InputOptions, observer: ImportObserver): Promise<ImportReport | AdminFault>
  /** Ends a full sync: removes the records that are in no input. */
  removeMissing(options: RemovalOptions): Promise<SyncResult>
  /**
   * Opens a file for rejected rows: `path`, or `name` in the folder for rejected rows. A dry run without `path` writes
   * none.
   */
  openRejects(path: string | undefined, name: string): RejectsFile
  /**
   * Updates the search index if that is faster than following the changes. Returns the places that may be one, if it
   * has read them.
   */
  updateIndex(changed: number, progress: (done: number, total: number) => void): Promise<readonly PossibleDuplicates[]>
  close(): Promise<void>
}

/** Properties of an input; undefined ones are detected. */
export interface InputOptions {
  readonly kind: RecordKind | undefined
  readonly format: ImportFormat | undefined
  /** Delimiter of CSV cells. */
  readonly delimiter: string | undefined
  readonly fields: readonly FieldMapping[]
  /** Source of records without a source. */
  readonly source: string | undefined
  /** Status of locations that have none; default: the configured one. */
  readonly defaultStatus: 'OPEN' | undefined
  /** Categories for words that the tree lacks, next to the configured ones. */
  readonly categoryMap: CategoryMap | undefined
  /** Continues regardless of the share of rejected rows. */
  readonly force: boolean
  readonly signal: AbortSignal | undefined
}

export interface RemovalOptions {
  /** Removes missing records regardless of their share. */
  readonly force: boolean
  /** Numbers of records added by the inputs. */
  readonly added: Readonly<Record<RecordKind, number>>
  /** Called after each batch. */
  readonly progress: (removed: number) => void
  readonly signal: AbortSignal | undefined
}

/** A file of rejected rows, created with its first row. */
export interface RejectsFile {
  write(row: object): void
  /** Returns the path of the file; undefined when no row was written, and a fault when a row could not be written. */
  close(): Promise<string | undefined | AdminFault>
}
