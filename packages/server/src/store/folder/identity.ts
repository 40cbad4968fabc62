import type { FolderDefectKind } from '../../domain/data-folder.ts'

/**
 * The data folder according to its control store. A property of a part is undefined until the part has been
 * made or adopted.
 */
export interface FolderIdentity {
  readonly folderId: string
  /** Name of the current generation. */
  readonly generation: string | undefined
  /** Id of the data store. */
  readonly storeId: string | undefined
  /** Check value of the pepper. */
  readonly pepperCheck: string | undefined
  readonly hasJournal: boolean
}

/** The control store, or why it cannot be read. */
export type ControlReading =
  | {
      readonly state: FolderDefectKind
      /** True if the store has never had contents, so that the creation of the folder can begin or continue. */
      readonly isNew?: boolean
    }
  | {
      readonly state: 'intact'
      /** Undefined in a folder that an earlier release made, and while a folder is being made. */
      readonly identity: FolderIdentity | undefined
      /** Contents that depend on other parts. */
      readonly contents: { readonly ids: boolean; readonly digests: boolean; readonly usage: boolean }
      /** Number of changes to ids and decisions. */
      readonly revision: number
    }

/** The data store, or why it cannot be read. */
export type DataReading =
  | { readonly state: FolderDefectKind }
  | {
      readonly state: 'intact'
      readonly folderId: string | undefined
      readonly storeId: string | undefined
      /** Revision of the control store when records were last written. */
      readonly controlRevision: number
    }

/** The stores of an engine, as far as the gate needs them. No reading changes a file. */
export interface IdentityStores {
  /** Returns the file of a store, relative to the data folder. */
  fileOf(store: 'control' | 'data', generation: string): string
  /** Throws NewerSchema. */
  readControl(): ControlReading
  /** Throws NewerSchema. */
  readData(generation: string): DataReading
  /** Creates or upgrades the control store; gives it this folder id unless it has one. */
  claimControl(folderId: string): void
  /** Calls `work` with the identity and stores the result; no other process changes it concurrently. */
  updateIdentity(work: (identity: FolderIdentity) => FolderIdentity): FolderIdentity
  /**
   * Creates or upgrades the data store; gives it this folder id and an id of its own unless it has them. Returns its
   * id. Registers the ids of its records in a control store that has none. Runs inside `updateIdentity`.
   */
  claimData(generation: string, folderId: string): string
  /** Records that no file of the journal is expected any more. Runs inside `updateIdentity`. */
  dropJournalFiles(): void
  /** Renames the files of a store so that no store opens them; `suffix` is appended to the names. */
  moveAway(store: 'control' | 'data', generation: string, suffix: string): void
}
