import type { ChangeRecord } from './change-record.ts'
import type { Id } from './id.ts'
import type { Photo } from './photo.ts'

/** A hidden photo, as moderators see it. */
export interface HiddenPhoto {
  readonly photoId: string
  /** The reason why it is hidden, if one was given. */
  readonly reason?: string
  readonly atMs: number
}

/** A photo as moderators see it. */
export interface ModeratedPhoto {
  readonly photoId: string
  readonly state: 'shown' | 'hidden'
  /** The reason why it is hidden, if one was given. */
  readonly reason?: string
  /** Undefined for a hidden photo that its record no longer has. */
  readonly found?: { readonly photo: Photo; readonly locationId: Id }
}

/** Decisions of operators about photos, by the ids of the photos; no import undoes them. */
export interface PhotoDecisions {
  /** Returns false if the photo was hidden before, which is not recorded. */
  hide(photoId: string, record: ChangeRecord, reason?: string): Promise<boolean>
  /** Returns false if the photo was not hidden, which is not recorded. */
  show(photoId: string, record: ChangeRecord): Promise<boolean>
  /** Hides an erased photo, which caches have for a moment; the record of the erasure covers it. */
  setErased(photoId: string, atMs: number): Promise<void>
  /** Returns those of the photos that are hidden or erased. */
  findHidden(photoIds: readonly string[]): Promise<ReadonlyMap<string, HiddenPhoto>>
  /** Lists hidden photos by their ids; `after` is the last id of the previous page. */
  listHidden(query: { readonly limit: number; readonly after?: string | undefined }): Promise<HiddenPhoto[]>
}
