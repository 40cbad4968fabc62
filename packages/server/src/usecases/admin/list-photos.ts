import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ModeratedPhotos } from '../../domain/moderation.ts'
import type { OwnedPhoto } from '../../domain/photo.ts'
import type { HiddenPhoto, ModeratedPhoto } from '../../domain/photo-decisions.ts'
import { readPhotos } from '../partner/list-photos.ts'
import { findAnyPhoto } from './find-photo.ts'

/** Selects the photos of a location, hidden ones included, or the hidden photos of all. */
export interface PhotoListQuery {
  readonly locationId?: Id | undefined
  readonly limit: number
  /** Id of the last photo of the previous page. */
  readonly after?: string | undefined
}

/** Lists photos for moderators: those of a location in its order, hidden ones of all locations by their ids. */
export async function listModeratedPhotos(
  photos: ModeratedPhotos,
  _actor: Actor,
  { locationId, limit, after }: PhotoListQuery,
): Promise<readonly ModeratedPhoto[] | AdminFault> {
  if (locationId === undefined) {
    const hidden = await photos.decisions.listHidden({ limit, after })
    return Promise.all(hidden.map(async one => toHidden(one, await findAnyPhoto(photos, one.photoId))))
  }
  const location = await photos.locations.get(locationId)
  if (!location) return adminFault('location_unknown', ['location_id'], { location: locationId })
  const all = await readPhotos(photos, location)
  const start = after === undefined ? 0 : all.findIndex(({ photoId }) => photoId === after) + 1
  const page = all.slice(start, start + limit)
  const hidden = await photos.decisions.findHidden(page.map(({ photoId }) => photoId))
  return page.map(one => {
    const found = { photo: one.photo, locationId: location.id }
    const decision = hidden.get(one.photoId)
    return decision ? toHidden(decision, found) : toShown(one, found)
  })
}

const toHidden = ({ photoId, reason }: HiddenPhoto, found: ModeratedPhoto['found']): ModeratedPhoto => ({
  photoId,
  state: 'hidden',
  ...(reason !== undefined && { reason }),
  ...(found && { found }),
})

const toShown = ({ photoId }: OwnedPhoto, found: NonNullable<ModeratedPhoto['found']>): ModeratedPhoto => ({
  photoId,
  state: 'shown',
  found,
})
