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

/**
 * Returns a button that opens a question in a popover, with a second button, which sends a form. Works without a
 * script. Browsers without popovers show the question next to the button.
 */
export function confirm({ label, question, button, action, hidden = {}, kind = 'danger' }: Confirm): Html {
  const id = `confirm-${[action, ...Object.values(hidden)].join('-').replaceAll(/\W+/g, '-')}`
  const buttons = html`<div class="buttons">${buttonForm(action, button, hidden, kind)}
<button type="button" popovertarget="${id}" popovertargetaction="hide" autofocus>Cancel</button></div>`
  return html`<button type="button" class="${kind}" popovertarget="${id}">${label}</button>
<div id="${id}" class="confirm" popover role="dialog" aria-label="${label}"><p>${question}</p>${buttons}</div>`
}
