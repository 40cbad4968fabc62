import type { ChangeRecord } from './change-record.ts'

/** A hidden photo, as moderators see it. */
export interface HiddenPhoto {
  readonly photoId: string
  /** The reason why it is hidden, if one was given. */
  readonly reason?: string
  readonly atMs: number
}

/** Decisions of operators to hide photos, by the ids of the photos; no import undoes them. */
export interface PhotoDecisions {
  /** Returns false if the photo was hidden before, which is not recorded. */
  hide(photoId: string, record: ChangeRecord, reason?: string): Promise<boolean>
  /** Returns false if the photo was not hidden, which is not recorded. */
  show(photoId: string, record: ChangeRecord): Promise<boolean>
  /** Returns the hidden ones of photos. */
  findHidden(photoIds: readonly string[]): Promise<ReadonlyMap<string, HiddenPhoto>>
  /** Lists hidden photos by their ids; `after` is the last id of the previous page. */
  listHidden(query: { readonly limit: number; readonly after?: string | undefined }): Promise<HiddenPhoto[]>
}
