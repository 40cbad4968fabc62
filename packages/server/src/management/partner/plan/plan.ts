import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import { explorerKeyId } from '../../../domain/own-key.ts'
import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import { upgradeResource } from '../../../resources/upgrade.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listUpgrades } from '../../../usecases/admin/list-upgrades.ts'
import { peakRates } from '../../../usecases/admin/peak-rates.ts'
import { peakUse } from '../../../usecases/admin/peak-use.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyKind, keyName, keyState, packageText } from '../../shared/key-parts.ts'
import { keyChoice } from '../key-choice.ts'
import { limitsTable, missingAddOns, packageTable, permissionTable } from './plan-tables.ts'
import { refusalsOf } from './refusals.ts'
import { requestTable } from './request-table.ts'

/** Returns the keys whose terms a plan shows: live ones first, without revoked ones and the explorer's. */
export const plannedKeys = (keys: readonly Key[]): Key[] =>
  keys
    .filter(({ state, id, partnerId }) => state !== 'revoked' && id !== explorerKeyId(partnerId))
    .toSorted((a, b) => Number(a.test) - Number(b.test))

/** The limits of a key with their origin and use, the packages, and the requests for better terms. */
export const planPage = partnerPage({
  method: 'GET',
  path: '/plan',
  permission: 'own:read',
  handler: async (context, request) => {
    const { admin } = context
    const { partner, actor, query, site, may } = request
    const keys = plannedKeys(await listKeys(admin, actor))
    const key = keys.find(({ id }) => id === query.key) ?? keys[0]
    const requests = await listUpgrades(admin, actor, { partnerId: partner.id })
    const format = exportFormat(request)
    if (format) return exportRows('requests', format, requests.map(upgradeResource))
    const path = linkTo(site, `/portal/${partner.id}/plan`)
    return {
      title: 'Plan',
      lead: 'What your keys may do, where each limit comes from, and how to get more.',
      actions: may('own:write') && buttonLink(`${path}/request/live_key`, 'Request a live key'),
      content: [
        key
          ? await keyParts(context, request, key, { keys, requests, path })
          : [noKey(request), card('Packages', packageTable(partner.packageName, admin.packageTable))],
        card('Requests', requestTable(requests, keys, path, request), {
          id: 'requests',
          actions: requests.length > 0 && exportLinks(path, {}),
        }),
        sameElsewhere({
          cli: `periplus upgrades list --partner ${partner.id}`,
          api: `GET /admin/v1/upgrade-requests?partner_id=${partner.id}\nGET /admin/v1/packages`,
        }),
      ],
    }
  },
})

interface PlanParts {
  readonly keys: readonly Key[]
  readonly requests: readonly UpgradeRequest[]
  readonly path: string
}

async function keyParts(
  context: Parameters<typeof planPage.handler>[0],
  request: PartnerRequest,
  key: Key,
  { keys, requests, path }: PlanParts,
): Promise<HtmlValue> {
  const { admin, usage, requests: log } = context
  const { actor, nowMs, zone, may } = request
  const found = await peakUse(usage, actor, { keyId: key.id })
  const rates = (await peakRates(log, [key], nowMs)).get(key.id)
  const peaks = { ...(isAdminFault(found) ? undefined : found.get(key.id)), ...rates }
  const refusals = await refusalsOf(context, actor, key.id, nowMs)
  const open = requests.filter(({ keyId, state }) => keyId === key.id && state === 'open')
  const ask = (kind: string, label: string) =>
    may('own:write') &&
    !key.test &&
    (open.some(one => one.ask.kind === kind)
      ? html`<a class="small" href="#requests">Requested</a>`
      : buttonLink(`${path}/request/${kind}?key=${key.id}`, label))
  const offer = admin.packageTable
  return [
    keyChoice(keys, key, path),
    html`<p>${keyKind(key)} ${keyState(key, nowMs)}&ensp;<strong>${keyName(key)}</strong> <span class="quiet">in the package
${packageText(key)}</span></p>`,
    card('Limits', limitsTable(key, offer, { peaks, refusals, zone }), { actions: ask('quota', 'Request more units') }),
    card('Permissions', permissionTable(key, offer, refusals), {
      actions: missingAddOns(key, offer).length > 0 && ask('add_on', 'Request an add-on'),
    }),
    card('Packages', packageTable(key.packageName, offer), { actions: ask('package', 'Request another package') }),
  ]
}

const noKey = ({ site, partner, may }: PartnerRequest): Html =>
  emptyState(
    'No keys yet',
    html`<p>Limits and permissions belong to keys.
${may('own:explore') ? link(linkTo(site, `/portal/${partner.id}/keys/new`), 'Create a test key') : 'Create a test key'}
to see those of your package.</p>`,
    'box',
  )
