import { isAdminFault } from '../../domain/admin-fault.ts'
import type { ExplainedRequest } from '../../domain/explanation-terms.ts'
import { formatRate } from '../../domain/limit-words.ts'
import type { LoggedCall } from '../../domain/request-log.ts'
import { factsOfCall, findRequest } from '../../usecases/admin/find-request.ts'
import { listRequests } from '../../usecases/admin/list-requests.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { codeBlock } from '../../web/parts/code.ts'
import { card, facts, grid } from '../../web/parts/facts.ts'
import { notice } from '../../web/parts/notice.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageAnswer, PageRequest } from '../pages/page-route.ts'
import { httpStatusBadge, limitNamesOf } from './causes.ts'
import { readNames } from './names.ts'
import { linkOf } from './remedy-link.ts'
import { callColumns } from './requests-view.ts'

/** Calls of the key within this time before and after are shown, in milliseconds. */
const aroundMs = 1000
const maxAround = 50

/** Returns the page of a request: its explanation, the limits at that time, and the calls around it. */
export async function requestDetailsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { params, actor, path } = request
  const found = await findRequest(context.requests, actor, { id: params.id!.toLowerCase() })
  if (isAdminFault(found)) return found
  const { call } = found
  const around = await listRequests(context.requests, actor, {
    keyId: call.keyId,
    fromMs: call.timeMs - aroundMs,
    toMs: call.timeMs + aroundMs + 1,
    limit: maxAround,
  })
  if (isAdminFault(around)) return around
  const keyNames = await readNames(context, request, 'key', [call.keyId])
  const partnerNames = await readNames(context, request, 'partner', [call.partnerId])
  return {
    title: 'Request',
    lead: html`<code>${call.requestId}</code>`,
    trail: [{ path: path.slice(0, path.lastIndexOf('/')), label: 'Requests' }],
    scripts: ['samples.js'],
    content: [
      explanation(found, request),
      grid([
        card('The call', callFacts(found, request, new Map([...keyNames, ...partnerNames]))),
        card('Limits at that time', limitFacts(found)),
      ]),
      card('Calls of the key within a second', aroundTable(around.rows, request, keyNames)),
      card('For support', [
        html`<p class="quiet">Send this text with your question. It has no secret.</p>`,
        codeBlock(supportText(found)),
      ]),
      sameElsewhere({
        cli: `periplus requests show ${call.requestId}`,
        api: `GET /admin/v1/requests/${call.requestId}`,
        account: `curl -H "X-API-Key: $PERIPLUS_KEY" "${context.apiUrl}/account/requests/${call.requestId}"`,
      }),
    ],
  }
}

/** Returns why the call had its response, and what helps. */
function explanation({ call, explanation: { sentence, remedy, link } }: ExplainedRequest, request: PageRequest): Html {
  const tone = call.status < 400 ? 'good' : call.status < 500 ? 'warn' : 'bad'
  const target = link && linkOf(link, call, request)
  return notice(tone, [
    html`<p><strong>${sentence}</strong></p>`,
    remedy !== undefined && html`<p>${remedy}</p>`,
    target && html`<p><a href="${linkTo(request.site, target.path)}">${target.label}</a></p>`,
  ])
}

function callFacts(
  { call, key }: ExplainedRequest,
  { zone, path, site }: PageRequest,
  names: ReadonlyMap<string, string>,
): Html {
  const isConsole = path.startsWith('/console/')
  const partnerPath = `${isConsole ? '/console/partners' : '/portal'}/${call.partnerId}`
  const keyPath = `${partnerPath}/keys/${call.keyId}`
  return facts([
    ['Time', html`${time(call.timeMs, zone, 'second')} <span class="quiet">${zone}</span>`],
    ['Operation', html`<a href="${linkTo(site, `/docs/${call.operation}`)}">${call.operation}</a>`],
    ['Version', call.versionExplicit ? call.version : `${call.version}, by default: the call named no version`],
    ['Status', httpStatusBadge(call.status)],
    [
      'Cause',
      call.fault !== undefined &&
        html`<a href="${linkTo(site, `/docs/errors#${call.fault}`)}"><code>${call.fault}</code></a>`,
    ],
    ['Wrong parameters', call.fields.length > 0 && call.fields.join(', ')],
    ['Refused by', call.policies.length > 0 && limitNamesOf(call).join(', ')],
    ['Retry after', call.retryAfterS !== undefined && `${formatNumber(call.retryAfterS)} s`],
    ['Units needed', call.cost !== undefined && formatNumber(call.cost)],
    ['Units charged', formatNumber(call.units)],
    ['Duration', `${formatNumber(call.durationUs / 1000)} ms`],
    [
      'Partner',
      isConsole && html`<a href="${linkTo(site, partnerPath)}">${names.get(call.partnerId) ?? call.partnerId}</a>`,
    ],
    [
      'Key',
      html`<a href="${linkTo(site, keyPath)}">${names.get(call.keyId) ?? call.keyId}</a>${key.test && ' (test)'}`,
    ],
  ])
}

const unlimitedOr = (value: number | 'unlimited', unit: string): string =>
  value === 'unlimited' ? 'unlimited' : `${formatNumber(value)} ${unit}`

const limitFacts = ({ key, limits }: ExplainedRequest): Html =>
  facts([
    ['Package', key.packageName],
    ['Add-ons', key.addOns.length > 0 && key.addOns.join(', ')],
    ['Rate', formatRate(limits.rate, limits.burst, ['request', 'requests'])],
    ['Daily quota', unlimitedOr(limits.quota, 'units')],
    ['Search rate', formatRate(limits.searchRate, limits.searchBurst, ['search', 'searches'])],
    ['Daily search quota', unlimitedOr(limits.searchQuota, 'units')],
    ['Autocomplete rate', formatRate(limits.autocompleteRate, limits.autocompleteBurst, ['request', 'requests'])],
  ])

const aroundTable = (
  rows: readonly LoggedCall[],
  request: PageRequest,
  keyNames: ReadonlyMap<string, string>,
): HtmlValue =>
  rows.length <= 1
    ? html`<p class="quiet">The key made no other call within a second.</p>`
    : html`<div class="dense">${table<LoggedCall>({
        caption: 'Calls of the key within a second before and after',
        columns: callColumns(request, { keyNames, partnerNames: undefined }),
        rows,
      })}</div>`

function supportText(found: ExplainedRequest): string {
  const { sentence, remedy } = found.explanation
  const text = factsOfCall(found)
    .map(([name, value]) => `${`${name}:`.padEnd(12)}${value}`)
    .join('\n')
  return [text, '', sentence, ...(remedy === undefined ? [] : [remedy])].join('\n')
}
