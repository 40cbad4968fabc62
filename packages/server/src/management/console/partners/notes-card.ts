import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { type Field, type Form, form } from '../../../web/parts/form.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { actorName } from '../../shared/timeline.ts'
import { type PartnerView, pathOf } from './partner-view.ts'

/** The fields of a new note. */
export const noteFields: readonly Field[] = [{ name: 'text', label: 'New note', type: 'textarea' }]

/** Returns the notes, which the partner never sees, and the form of another one. */
export function notesCard(
  view: PartnerView,
  { site, may, zone }: PageRequest,
  { fields, error }: Pick<Form, 'fields' | 'error'> = { fields: noteFields },
): Html {
  const { notes, everybody } = view
  return card(
    'Notes',
    [
      notes.length === 0 && html`<p class="quiet">No notes yet. Partners never see them.</p>`,
      notes.map(
        ({ text, by, atMs }) =>
          html`<div class="note"><p>${text}</p><p class="quiet small">${actorName(by, everybody)} · ${time(atMs, zone)}</p></div>\n`,
      ),
      may('partners:note') &&
        form({
          action: linkTo(site, pathOf(view, '/notes')),
          fields,
          error,
          button: 'Add note',
          kind: 'plain',
        }),
    ],
    { id: 'notes' },
  )
}
