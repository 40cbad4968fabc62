import type { Field } from '../../web/parts/form.ts'
import type { FormValues } from './page-route.ts'

/** Returns the hidden field for the revision that a form is made from, by which a lost update is detected. */
export const revisionField = ({ revision }: { readonly revision: number }): Field => ({
  name: 'revision',
  label: 'Revision',
  type: 'hidden',
  value: String(revision),
})

/** Reads the revision that a form was made from. */
export const revisionOf = (form: FormValues): number => Number(form.text('revision'))
