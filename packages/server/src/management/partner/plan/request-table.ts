import type { Key } from '../../../domain/key.ts'
import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import type { Site } from '../../../web/site.ts'
import type { PartnerRequest } from '../../pages/page-route.ts'
import { keyName } from '../../shared/key-parts.ts'
import { askText, upgradeState } from '../../shared/upgrade-parts.ts'

/** Returns the upgrade requests of a partner, with the forms that withdraw them. */
export function requestTable(
  requests: readonly UpgradeRequest[],
  keys: readonly Key[],
  path: string,
  { zone, may, site }: PartnerRequest,
): HtmlValue {
  const names = new Map(keys.map(key => [key.id, keyName(key)]))
  return table<UpgradeRequest>({
    caption: 'Upgrade requests, newest first',
    columns: [
      { label: 'Request', kind: 'name', cell: ({ ask }) => askText(ask) },
      { label: 'Key', cell: ({ keyId }) => (keyId === undefined ? undefined : (names.get(keyId) ?? keyId)) },
      { label: 'State', cell: ({ state }) => upgradeState(state) },
      { label: 'Requested', cell: ({ createdMs }) => time(createdMs, zone) },
      { label: 'Reason', cell: ({ reason }) => reason },
      {
        label: 'Answer',
        cell: ({ answer, decidedMs }) =>
          decidedMs === undefined
            ? undefined
            : [
                answer,
                answer !== undefined && html`<br>`,
                html`<span class="quiet small">${time(decidedMs, zone)}</span>`,
              ],
      },
      {
        label: 'Actions',
        kind: 'actions',
        cell: ({ id, state, revision }) =>
          state === 'open' &&
          may('own:write') &&
          confirm({
            label: 'Withdraw',
            button: 'Withdraw the request',
            action: `${path}/requests/${id}/withdraw`,
            question: 'The operator will no longer decide on it.',
            kind: 'plain',
            hidden: { revision: String(revision) },
          }),
      },
    ],
    rows: requests,
    empty: html`<p class="quiet">No requests yet. The operator answers each one${contactOf(site)}, and its answer
appears here.</p>`,
  })
}

/** Returns where the operator can be reached: its page for partners, otherwise its e-mail address. */
function contactOf({ contact }: Site): Html | undefined {
  if (contact?.url !== undefined) return html` (<a href="${contact.url}">contact</a>)`
  return contact?.email === undefined ? undefined : html` (<a href="mailto:${contact.email}">${contact.email}</a>)`
}
