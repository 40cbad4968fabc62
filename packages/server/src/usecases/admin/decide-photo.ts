import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Moderation } from '../../domain/moderation.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkOptionalTexts } from './check-texts.ts'
import { findAnyPhoto, photoUnknown } from './find-photo.ts'
import { recordOf } from './record.ts'

/** The photo to decide about, and the reason for colleagues. */
export interface PhotoDecisionInput {
  readonly id: string
  readonly reason?: string | undefined
}

/** The state of a photo after a decision. */
export interface DecidedPhoto {
  readonly id: string
  readonly state: 'hidden' | 'shown'
  readonly changed: boolean
}

type Deciding = Pick<Moderation, 'photos'> & { readonly clock: Clock }

/** Hides a photo: its record keeps it, but no response has it. */
export async function hidePhoto(
  { photos, clock }: Deciding,
  actor: Actor,
  { id, reason }: PhotoDecisionInput,
): Promise<DecidedPhoto | AdminFault> {
  const fault = checkOptionalTexts({ reason })
  if (fault) return fault
  if (!(await findAnyPhoto(photos, id))) return photoUnknown(id)
  const changed = await photos.decisions.hide(id, recordFor('photo.hide', clock, actor, { id, reason }), textOf(reason))
  return { id, state: 'hidden', changed }
}

/** Shows a hidden photo again. */
export async function showPhoto(
  { photos, clock }: Deciding,
  actor: Actor,
  { id, reason }: PhotoDecisionInput,
): Promise<DecidedPhoto | AdminFault> {
  const fault = checkOptionalTexts({ reason })
  if (fault) return fault
  const changed = await photos.decisions.show(id, recordFor('photo.show', clock, actor, { id, reason }))
  // A hidden photo that its record has lost can still be shown: an import may restore it.
  if (!changed && !(await findAnyPhoto(photos, id))) return photoUnknown(id)
  return { id, state: 'shown', changed }
}

const textOf = (reason: string | undefined) => reason?.trim() || undefined

function recordFor(action: string, clock: Clock, actor: Actor, { id, reason }: PhotoDecisionInput) {
  const text = textOf(reason)
  return recordOf(clock, actor, { action, target: id, ...(text && { after: { reason: text } }) })
}
