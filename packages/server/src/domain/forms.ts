import { StoreError } from './store-errors.ts'

/**
 * Forms of what the processes of a database write for one another. For each, the levels (domain/releases.ts) from which
 * on releases read the forms 1, 2 …; a form is written once all releases that can use the database read it. The
 * search index is not here: nodes keep an index of each format.
 */
const forms = {
  /** Texts of shared limits (limits/shared/state-text.ts); form 2 has the bucket of autocomplete. */
  limitState: [1, 17],
  /** Catalogues of shared feeds (feeds/shared/catalogue.ts). */
  catalogue: [1],
} as const satisfies Readonly<Record<string, readonly number[]>>

export type FormName = keyof typeof forms

/** Returns the newest form that all releases read; `oldest` is the lowest level of those that can use the database. */
export const formToWrite = (name: FormName, oldest: number): number =>
  forms[name].findLastIndex(level => level <= oldest) + 1

/** Returns the newest form that this release reads. */
export const newestForm = (name: FormName): number => forms[name].length

/** Thrown when a newer release has written what this one cannot read. */
export class UnknownForm extends StoreError {
  /** `what` names the text or file as the operator knows it. */
  constructor(what: string, form: number, name: FormName) {
    super(
      `${what} has form ${form}, and this Periplus reads forms up to ${newestForm(name)}: ` +
        'it was written by a newer release. Run that release.',
    )
  }
}

/** Throws UnknownForm if this release does not read a form. */
export function requireKnownForm(what: string, form: number, name: FormName): void {
  if (form > newestForm(name)) throw new UnknownForm(what, form, name)
}
