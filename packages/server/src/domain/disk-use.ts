/** The disk of the data folder. Sizes are in bytes. */
export interface DiskUse {
  readonly freeBytes: number
  /** Parts of the data folder, largest first. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
  /** Growth of the usage journal in the last days, before compression. */
  readonly journalBytesPerDay: number
}
