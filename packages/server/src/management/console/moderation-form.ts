import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { errorSummary, type Field, renderField } from '../../web/parts/form.ts'
import { linkTo } from '../../web/site.ts'
import type { PageRequest } from '../pages/page-route.ts'

/** A form of a list that was refused, and what it had. */
export interface RefusedChoice {
  /** Sentence about the form as a whole. */
  readonly error?: string
  /** Sentence about the reason. */
  readonly reasonError?: string | undefined
  readonly ids: readonly string[]
  readonly reason: string
}

/** A list with a choice of items, and what its form shows. */
export interface ModerationChoice {
  /** The table, whose boxes are in the form. */
  readonly rows: HtmlValue
  /** Path of the list; those of its actions are below it. */
  readonly path: string
  readonly states: readonly ('shown' | 'hidden')[]
  /** Example of a reason. */
  readonly example: string
  /** Query of the list, to which the form returns. */
  readonly back: string
  readonly refused: RefusedChoice | undefined
  /** A further button. */
  readonly button?: HtmlValue
}

/** Returns the table; for moderators within a form whose buttons hide, show or erase the chosen items. */
export function moderationForm({ may, site }: PageRequest, choice: ModerationChoice): Html {
  const { rows, path, states, example, back, refused, button } = choice
  if (!may('reviews:moderate')) return html`${rows}`
  const action = (name: string) => linkTo(site, `${path}/${name}`)
  const isHidden = states.every(state => state === 'hidden')
  const isShown = states.every(state => state === 'shown')
  const reason: Field = {
    name: 'reason',
    label: 'Reason',
    placeholder: `For colleagues, such as “${example}”`,
    value: refused?.reason,
    error: refused?.reasonError,
  }
  const buttons = [
    !isHidden && html`<button class="primary" formaction="${action('hide')}">Hide chosen</button>`,
    !isShown && html`<button class="primary" formaction="${action('show')}">Show chosen</button>`,
    button,
    may('reviews:erase') &&
      html`<button class="danger" formnovalidate formmethod="get" formaction="${action('erase')}">Erase chosen …</button>`,
  ]
  return html`<form method="post" action="${action(isHidden ? 'show' : 'hide')}">
${refused && errorSummary(refused.error, refused.reasonError === undefined ? [] : [reason])}${rows}
<input type="hidden" name="back" value="${back}">
<div class="bulk">${renderField(reason, refused?.reasonError !== undefined)}
<p class="buttons">${buttons}</p></div>
</form>
`
}
