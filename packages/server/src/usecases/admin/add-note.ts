import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PartnerNote } from '../../domain/partner.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkTexts } from './check-texts.ts'
import { getPartner } from './get-partner.ts'
import { recordOf } from './record.ts'

/** Dependencies of `addNote`. */
export interface NoteKeeping {
  readonly keys: KeyAdmin
  readonly clock: Clock
  newId(kind: 'note'): string
}

/** Adds a note about a partner, which the partner never sees. */
export async function addNote(
  stores: NoteKeeping,
  actor: Actor,
  { partnerId, text }: { readonly partnerId: string; readonly text: string },
): Promise<PartnerNote | AdminFault> {
  const fault = checkTexts({ text })
  if (fault) return fault
  const partner = await getPartner(stores, actor, { id: partnerId })
  if (isAdminFault(partner)) return partner
  const record = recordOf(stores.clock, actor, {
    action: 'partner.note',
    target: partnerId,
    partnerId,
    after: { text },
  })
  const note = { id: stores.newId('note'), partnerId, text, by: actor.id, atMs: record.audit.atMs }
  await stores.keys.addNote(note, record)
  return note
}
