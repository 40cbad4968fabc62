import { photoIdPattern } from '../domain/photo.ts'
import type { ModeratedPhoto } from '../domain/photo-decisions.ts'
import { count, Type } from '../kit/json-schema.ts'
import { closedObject, idText, type Resource } from './schema.ts'

const photoId = () => Type.String({ pattern: photoIdPattern })
const optionalText = () => Type.Optional(Type.String())

/** A photo for moderators. A hidden one that its record no longer has lacks what only the record knows. */
export const photoSchema = closedObject({
  id: photoId(),
  state: Type.Enum(['shown', 'hidden']),
  reason: optionalText(),
  location_id: Type.Optional(idText()),
  url: optionalText(),
  width: Type.Optional(count()),
  height: Type.Optional(count()),
  caption: optionalText(),
  attribution: optionalText(),
  license: optionalText(),
  source_url: optionalText(),
})

/** Presents a photo for moderators. */
export function photoResource({ photoId: id, state, reason, found }: ModeratedPhoto): Resource<typeof photoSchema> {
  const { sourceUrl, ...photo } = found?.photo ?? {}
  return {
    id,
    state,
    ...(reason !== undefined && { reason }),
    ...(found && { location_id: String(found.locationId) }),
    ...photo,
    ...(sourceUrl !== undefined && { source_url: sourceUrl }),
  }
}

export const decidedPhotoSchema = closedObject({ id: photoId(), state: Type.Enum(['shown', 'hidden']) })

/** Presents a photo that was hidden or shown again. */
export const decidedPhotoResource = ({ id, state }: Resource<typeof decidedPhotoSchema>) => ({ id, state })
