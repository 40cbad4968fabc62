import { type Id, parseId } from '../../../domain/id.ts'
import { html } from '../../../web/html.ts'
import type { Field } from '../../../web/parts/form.ts'
import { queryForm } from '../../../web/parts/form.ts'
import { linkTo, type Site } from '../../../web/site.ts'

/** Returns the id in a text that people enter for a place: the id itself, or the address of its page. */
export const parsePlace = (text: string): Id | undefined =>
  parseId(/(?:^|\/places\/)(\d+)(?:[/?#].*)?$/.exec(text)?.[1] ?? '')

/** Returns the input for a place. */
export const placeField = (name: string, label: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  hint: 'Its id, or the address of its page.',
  ...more,
})

/** Returns the form that asks for the place that is wrong. */
export const placeForm = (site: Site, action: string, more: Partial<Field> = {}) => [
  site.has.places &&
    html`<p>Open the page of the place among the <a href="${linkTo(site, '/places')}">places</a> and choose “Suggest an
edit”, or enter the place here.</p>`,
  queryForm(action, 'Continue', [placeField('place', 'Place', more)]),
]
