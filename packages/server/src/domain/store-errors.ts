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
