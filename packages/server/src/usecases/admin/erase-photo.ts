import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Erasure, Moderation } from '../../domain/moderation.ts'
import { photoUnknown } from './find-photo.ts'
import { recordOf } from './record.ts'

/** Erases a photo permanently, and its traces in the data folder; no import restores it. */
export async function erasePhoto(
  { reviews, photos, clock, sweep }: Moderation,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Erasure | AdminFault> {
  const erased = await reviews.erasePhoto(id, recordOf(clock, actor, { action: 'photo.erase', target: id }))
  if (!erased) return photoUnknown(id)
  await photos.decisions.setErased(id, clock.nowMs())
  return { ids: [], removed: erased.removed, ...(await sweep(erased)) }
}
