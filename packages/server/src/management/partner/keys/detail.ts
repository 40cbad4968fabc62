import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import type { KeySecret } from '../../../domain/key-secret.ts'
import { explorerKeyId } from '../../../domain/own-key.ts'
import { secretResource } from '../../../resources/key-secret.ts'
import { getLimits } from '../../../usecases/admin/get-limits.ts'
import { listSecrets } from '../../../usecases/admin/list-secrets.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card, facts, grid } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { badge, notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyHistory } from '../../shared/key-history.ts'
import { keyKind, keyName, keyState, packageText, scopeText, secretEnding } from '../../shared/key-parts.ts'
import { limitMeters } from '../../shared/limit-meters.ts'
import { lastUse } from './list.ts'

/** A key with its secrets, limits and history. */
export const keyDetailPage = partnerPage({
  method: 'GET',
  path: '/keys/:id',
  permission: 'own:read',
  handler: async (context, request) => {
    const { admin, live } = context
    const { params, partner, actor, site, zone, nowMs } = request
    const found = await listSecrets(admin, actor, { id: params.id! })
    if (isAdminFault(found)) return found
    const { key, secrets } = found
    const format = exportFormat(request)
    if (format) return exportRows('secrets', format, secrets.toReversed().map(secretResource))
    const limits = await getLimits({ keys: admin.keys, live }, actor, { id: key.id })
    if (isAdminFault(limits)) return limits
    const path = linkTo(site, `/portal/${partner.id}/keys/${key.id}`)
    return {
      title: keyName(key),
      lead: html`${keyKind(key)} ${keyState(key, nowMs)}`,
      trail: [{ path: `/portal/${partner.id}/keys`, label: 'Keys' }],
      actions: actionsOf(key, path, request),
      content: [
        grid([
          card('Details', detailFacts(key, zone)),
          card('Limits', [
            limitMeters({ ...limits, packageTable: admin.packageTable, zone, nowMs }),
            html`<p class="small after"><a href="${linkTo(site, `/portal/${partner.id}/plan?key=${key.id}`)}">Where each limit
comes from</a></p>`,
          ]),
        ]),
        card('Secrets', [overlap(key, secrets, request), secretTable(key, secrets, path, request)], {
          actions: exportLinks(path, {}),
        }),
        card('History', await keyHistory(context, request, key.id)),
        sameElsewhere({
          cli: `periplus keys show ${key.id}\nperiplus keys rotate ${key.id} --overlap 24h`,
          api: `GET /admin/v1/keys/${key.id}\nPOST /admin/v1/keys/${key.id}/secrets`,
        }),
      ],
    }
  },
})

function actionsOf(key: Key, path: string, { may }: PartnerRequest): HtmlValue {
  if (!may('own:write') || key.state === 'revoked' || key.id === explorerKeyId(key.partnerId)) return undefined
  const { revision } = key
  const hidden = (state: string) => ({ revision: String(revision), state })
  return html`${buttonLink(`${path}/rotate`, 'Rotate', { kind: 'primary' })} ${buttonLink(`${path}/edit`, 'Edit')} ${
    key.state === 'disabled'
      ? buttonForm(`${path}/state`, 'Enable', hidden('active'))
      : confirm({
          label: 'Disable',
          button: 'Disable this key',
          action: `${path}/state`,
          kind: 'plain',
          question: 'Calls with this key are refused with 401 until you enable it again.',
          hidden: hidden('disabled'),
        })
  } ${confirm({
    label: 'Revoke',
    button: 'Revoke this key',
    action: `${path}/state`,
    question: 'The key never works again. This cannot be undone.',
    hidden: hidden('revoked'),
  })}`
}

const detailFacts = (key: Key, zone: string): Html =>
  facts([
    ['Id', html`<code>${key.id}</code>`],
    ['Package', packageText(key)],
    ['Created', time(key.createdMs, zone)],
    ['Last used', lastUse(key)],
    ['Ends', key.expiresMs === undefined ? 'Never' : time(key.expiresMs, zone)],
    ['Networks', key.networks?.map(network => html`<code>${network}</code> `) ?? 'Every address'],
    ['Scope', scopeText(key.scope) ?? 'All places'],
    ['Limits', key.agreement.subject === 'partner' && 'Shared by all keys of the partner'],
  ])

/** Returns a notice about each earlier secret that still works: the calls that use it, or that it can be ended. */
function overlap(key: Key, secrets: readonly KeySecret[], { zone, nowMs }: PartnerRequest): HtmlValue {
  if (key.state === 'revoked') return undefined
  return secrets
    .slice(0, -1)
    .filter(({ expiresMs }) => expiresMs !== undefined && expiresMs > nowMs)
    .map(({ last4, expiresMs, calls, lastUsedMs = 0 }) => {
      const ending = html`The earlier secret ${secretEnding(last4)} works until ${time(expiresMs!, zone)}.`
      return calls === 0
        ? notice('info', html`<p>${ending} No call has used it since the rotation; it can be ended.</p>`)
        : notice(
            'warn',
            html`<p>${ending} Since the rotation, ${formatCount(calls, 'call')} used it, the last
${timeDistance(lastUsedMs, nowMs)}. Put the new secret in use everywhere before it ends.</p>`,
          )
    })
}

/** Returns the time of the latest call with a secret; its day in UTC if an earlier release counted it. */
const secretUse = ({ lastUsedMs, lastUsedDay }: KeySecret, zone: string): Html =>
  lastUsedMs !== undefined
    ? time(lastUsedMs, zone)
    : lastUsedDay !== undefined
      ? time(Date.parse(lastUsedDay), 'UTC', 'day')
      : html`<span class="quiet">Never</span>`

function secretTable(key: Key, secrets: readonly KeySecret[], path: string, request: PartnerRequest): HtmlValue {
  const { zone, nowMs, may } = request
  const isValid = ({ expiresMs }: KeySecret) => expiresMs === undefined || expiresMs > nowMs
  const newest = secrets.at(-1)
  const mayEnd = may('own:write') && key.state !== 'revoked'
  return table<KeySecret>({
    caption: 'Secrets of the key, newest first',
    columns: [
      { label: 'Secret', kind: 'name', cell: ({ last4 }) => secretEnding(last4) },
      {
        label: 'State',
        cell: secret =>
          !isValid(secret) || key.state === 'revoked'
            ? badge('plain', 'Ended')
            : secret.expiresMs === undefined
              ? badge('good', 'In use')
              : badge('warn', html`Ends ${timeDistance(secret.expiresMs, nowMs)}`),
      },
      { label: 'Created', cell: ({ createdMs }) => time(createdMs, zone) },
      { label: 'Ends', cell: ({ expiresMs }) => (expiresMs === undefined ? 'With the key' : time(expiresMs, zone)) },
      { label: 'Last used', cell: secret => secretUse(secret, zone) },
      {
        label: secrets.length > 1 ? 'Calls since the rotation' : 'Calls',
        kind: 'number',
        cell: ({ calls }) => formatNumber(calls),
      },
      {
        label: 'Actions',
        kind: 'actions',
        cell: secret =>
          mayEnd &&
          isValid(secret) &&
          confirm({
            label: 'End',
            button: 'End this secret',
            action: `${path}/end-secret`,
            question:
              secret === newest
                ? 'This is the newest secret. Calls that use it are refused at once; rotate first to avoid that.'
                : 'Calls that use it are refused at once.',
            hidden: { revision: String(key.revision), secret: secret.id },
          }),
      },
    ],
    rows: secrets.toReversed(),
  })
}
