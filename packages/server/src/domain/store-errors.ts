/** A store that cannot be used as asked; the message is for the operator, in complete sentences. */
export class StoreError extends Error {}

/** The data folder does not exist, and the command does not create one. */
export class MissingDataFolder extends StoreError {
  constructor(folder: string) {
    super(
      `There is no Periplus data in ${folder}. Run 'periplus import' there first, or name the folder with --data DIR.`,
    )
  }
}

/** A store was written by a newer release, and this one does not know its schema. */
export class NewerSchema extends StoreError {
  /** `store` is the file or database by the name that the operator knows. */
  constructor(store: string, found: number, known: number) {
    super(
      `${store} has schema version ${found}, and this Periplus knows versions up to ${known}: ` +
        'it was written by a newer release. Run that release, or restore a backup made by this one.',
    )
  }
}

/** Another process holds the lock. */
export class LockHeld extends StoreError {}
