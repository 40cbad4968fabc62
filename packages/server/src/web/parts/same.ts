import { type Html, html } from '../html.ts'
import { codeBlock } from './code.ts'

/** The other ways to do what a page does. Secrets are named, never shown. */
export interface SameElsewhere {
  /** The command line, or several. */
  readonly cli?: string | readonly string[]
  /** The call of the admin API, or several: `GET /admin/v1/keys`. */
  readonly api?: string | readonly string[]
  /** The call that a key can make about itself: `GET /account/usage`. */
  readonly account?: string
}

/** Returns the folded end of a page: the command and the API call that do the same. */
export function sameElsewhere({ cli, api, account }: SameElsewhere): Html {
  const blocks = [
    cli !== undefined && codeBlock(toLines(cli), 'Command line of the operator'),
    api !== undefined && codeBlock(toLines(api), 'Admin API'),
    account !== undefined && codeBlock(account, 'With an API key, about itself'),
  ]
  return html`<details class="same">
<summary>The same from the command line or API</summary>
${blocks}</details>
`
}

const toLines = (text: string | readonly string[]): string => (typeof text === 'string' ? text : text.join('\n'))
