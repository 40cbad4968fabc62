import { type MemoryOrders, sortRows } from '../../domain/list-order.ts'
import type { Session } from '../../domain/session.ts'
import { type HtmlValue, html } from '../../web/html.ts'
import { badge } from '../../web/parts/notice.ts'
import type { TableOrder } from '../../web/parts/sort-head.ts'
import { table } from '../../web/parts/table.ts'
import { time, timeDistance } from '../../web/parts/time.ts'

const browsers = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\bChrom(e|ium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const
const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Returns browser and system of a user agent as text: "Firefox on Linux". */
export function agentName(agent: string | undefined): string {
  const find = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(agent ?? ''))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  return [browser ?? 'Unknown browser', ...(system === undefined ? [] : [system])].join(' on ')
}

/** The orders of a table of sessions. */
export const sessionOrders: MemoryOrders<Session> = {
  signed_in: { first: 'desc', value: ({ createdMs }) => createdMs },
  last_seen: { first: 'desc', value: ({ seenMs }) => seenMs },
}

/** Options of a table of sessions. */
export interface SessionTable {
  readonly sessions: readonly Session[]
  readonly zone: string
  readonly nowMs: number
  /** Id of the session that shows the table. */
  readonly current?: string
  /** Returns the user's name, where the table has sessions of several. */
  readonly holder?: (session: Session) => HtmlValue
  /** Returns the button that ends a session. */
  readonly end: (session: Session) => HtmlValue
  /** Set where the reader can sort the table. */
  readonly order?: TableOrder
}

/** Returns a table of open sessions. */
export const sessionTable = ({ sessions, zone, nowMs, current, holder, end, order }: SessionTable): HtmlValue =>
  table<Session>({
    caption: order ? 'Open sessions' : 'Open sessions, newest first',
    order,
    columns: [
      ...(holder ? [{ label: 'User', kind: 'name' as const, cell: holder }] : []),
      {
        label: 'Browser',
        ...(!holder && { kind: 'name' as const }),
        cell: ({ id, agent }) => html`${agentName(agent)}${id === current && html` ${badge('good', 'this one')}`}`,
      },
      { label: 'Address', cell: ({ address }) => address },
      { label: 'Signed in', sort: 'signed_in', cell: ({ createdMs }) => time(createdMs, zone) },
      { label: 'Last seen', sort: 'last_seen', cell: ({ seenMs }) => timeDistance(Math.min(seenMs, nowMs), nowMs) },
      { label: 'Actions', kind: 'actions', cell: session => session.id !== current && end(session) },
    ],
    rows: order ? sortRows(sessions, order.current, sessionOrders) : sessions,
    empty: html`<p class="quiet">Nobody is signed in.</p>`,
  })
