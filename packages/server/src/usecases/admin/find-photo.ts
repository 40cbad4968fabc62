import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { ModeratedPhotos } from '../../domain/moderation.ts'
import { type FoundPhoto, findPhoto } from '../partner/find-photo.ts'

/** Finds a photo, hidden or not, also of a hidden review; undefined if no record has it. */
export const findAnyPhoto = (
  { locations, reviewList }: Pick<ModeratedPhotos, 'locations' | 'reviewList'>,
  photoId: string,
): Promise<FoundPhoto | undefined> =>
  findPhoto({ locations, findReview: async id => (await reviewList.find(id))?.review }, photoId)

/** Returns the fault of a photo that no record has. */
export const photoUnknown = (photo: string): AdminFault => adminFault('photo_unknown', ['id'], { photo })
