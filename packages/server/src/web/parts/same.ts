import { type Html, html } from '../html.ts'
import { codeBlock } from './code.ts'
import { facts } from './facts.ts'
import { link } from './link.ts'

/** A list of a page as a file: its name in words, and the addresses of its formats. */
export interface ListFile {
  readonly label: string
  readonly csv: string
  readonly json: string
}

/** The other ways to do what a page does. Secrets are named, never shown. */
export interface SameElsewhere {
  /** The command line, or several. */
  readonly cli?: string | readonly string[]
  /** The call of the admin API, or several: `GET /admin/v1/keys`. */
  readonly api?: string | readonly string[]
  /** The call that a key can make about itself: `GET /account/usage`. */
  readonly account?: string
  /** The call of the partner API that finds the same. */
  readonly partner?: string
  /** The lists of a page that has several. */
  readonly files?: readonly ListFile[]
}

/** Returns the folded end of a page: the command and the API call that do the same, and its lists as files. */
export function sameElsewhere({ cli, api, account, partner, files }: SameElsewhere): Html {
  const blocks = [
    cli !== undefined && codeBlock(toLines(cli), 'Command line of the operator'),
    api !== undefined && codeBlock(toLines(api), 'Admin API'),
    account !== undefined && codeBlock(account, 'With an API key, about itself'),
    partner !== undefined && codeBlock(partner, 'Partner API'),
    files && facts(files.map(fileLinks)),
  ]
  return html`<details class="same">
<summary>The same ${files && 'as files, '}from the command line or API</summary>
${blocks}</details>
`
}

const fileLinks = ({ label, csv, json }: ListFile): readonly [string, Html] => [
  label,
  html`${link(csv, 'Export CSV', label)} ${link(json, 'JSON', label)}`,
]

const toLines = (text: string | readonly string[]): string => (typeof text === 'string' ? text : text.join('\n'))
