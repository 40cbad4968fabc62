import { type Html, type HtmlValue, html } from '../html.ts'
import { buttonForm } from './form.ts'

/** A change that the reader confirms before it is made. */
export interface Confirm {
  /** Text of the button that opens the question: "Revoke". */
  readonly label: string
  /** Sentence about the consequences. */
  readonly question: HtmlValue
  /** Text of the button that sends the form: "Revoke this key". */
  readonly button: string
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  /** Default: danger. */
  readonly kind?: 'plain' | 'danger'
}

/** Returns a button that opens a question with a second button, which sends a form. Works without a script. */
export function confirm({ label, question, button, action, hidden, kind = 'danger' }: Confirm): Html {
  const content = html`<div><p>${question}</p>${buttonForm(action, button, hidden, kind)}</div>`
  return html`<details class="confirm"><summary class="button ${kind}">${label}</summary>${content}</details>`
}
