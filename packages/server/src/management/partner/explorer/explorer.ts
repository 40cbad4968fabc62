import { isAdminFault } from '../../../domain/admin-fault.ts'
import { explorerKeyId } from '../../../domain/own-key.ts'
import { openExplorer } from '../../../usecases/admin/open-explorer.ts'
import { attribute, type Html, html } from '../../../web/html.ts'
import { samples } from '../../../web/parts/code.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { badge } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { callForm } from '../../../web/reference/call-form.ts'
import { inlineCode } from '../../../web/reference/fields.ts'
import { type ApiReference, exampleValues, type ReferenceOperation, toCall } from '../../../web/reference/operations.ts'
import { callSamples } from '../../../web/samples.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'

/** The API explorer of a partner, and the secrets of its key. */
export const explorerPages = [
  partnerPage({
    method: 'GET',
    path: '/explorer',
    permission: 'own:explore',
    handler: explorerPage,
  }),
  partnerPage({
    method: 'POST',
    path: '/explorer/key',
    permission: 'own:explore',
    isCostly: () => true,
    handler: async ({ admin }, { actor, partner }) => {
      const opened = await openExplorer(admin, actor, partner.id)
      if (isAdminFault(opened)) return opened
      const { secret, expiresMs } = opened
      const body = JSON.stringify({ secret, expires_at: new Date(expiresMs).toISOString() })
      return { fileName: 'explorer-key.json', type: 'application/json', body }
    },
  }),
]

async function explorerPage(context: ManagementContext, request: PartnerRequest): Promise<PageView> {
  const { reference, apiUrl, exampleIds } = context
  const { query, site, partner, may } = request
  const ids = (await exampleIds(partner.scope)).map(String)
  const shown = (query.version !== undefined && reference(query.version, ids)) || reference(undefined, ids)!
  const operations = shown.groups.flatMap(group => group.operations)
  const operation = operations.find(({ id }) => id === query.operation) ?? operations[0]!
  const keyUrl = linkTo(site, `/portal/${partner.id}/explorer/key`)
  const call = { publicUrl: apiUrl, ...toCall(operation, exampleValues(operation)) }
  return {
    title: 'Explorer',
    lead: 'Call the API from this page, and see what the answer and its headers mean.',
    scripts: ['samples.js', 'explorer.js', 'call.js'],
    content: html`<div class="explorer">${chooser(shown, operation, request)}
${card(
  operation.summary,
  html`<p>${inlineCode(operation.description)}</p>
${about(operation, shown, request)}
<noscript><p>The explorer needs JavaScript. The samples work anywhere.</p></noscript>
${callForm({
  operation,
  apiUrl: site.apiOrigin === undefined ? linkTo(site, '/') : apiUrl,
  version: operation.version?.required ? shown.name : undefined,
  headers: shown.headers,
  keyFields: [keyField(may('own:explore'))],
  ...(may('own:explore') && { keyUrl }),
  side: samples(callSamples(call)),
})}`,
)}
<p class="quiet small">Calls without a key of yours use the explorer key <code>${explorerKeyId(partner.id)}</code>: a
test key with your package and scope, which is never billed. All tabs share its 1,000 units a day; a tab keeps its
secret for 8 hours.</p>
${sameElsewhere({
  cli: `periplus keys create --partner ${partner.id} --test --package ${partner.packageName ?? 'discover'}`,
  api: 'POST /admin/v1/keys',
})}</div>`,
  }
}

const keyField = (hasOwn: boolean) =>
  ({
    name: 'key',
    label: 'API key',
    type: 'password',
    required: !hasOwn,
    hint: hasOwn
      ? 'Leave it empty to use the explorer key. A key of yours stays in this tab, and its calls are counted and charged.'
      : 'Stays in this tab. The call is counted and charged as any other.',
  }) as const

const about = (
  { id, method, path, terms }: ReferenceOperation,
  { folder }: ApiReference,
  { site }: PartnerRequest,
): Html =>
  facts([
    ['Request', html`<code>${method} ${path}</code>`],
    ['Cost', badge(terms.cost === 'free' ? 'good' : 'info', terms.cost)],
    ['Permission', terms.permission === undefined ? 'every key' : html`<code>${terms.permission}</code>`],
    ['Reference', link(linkTo(site, `/docs${folder}/${id}`), 'Parameters and fields')],
  ])

/** Returns the form that selects the operation and the version; without a script, too. */
function chooser(
  { groups, versions, document }: ApiReference,
  { id }: ReferenceOperation,
  request: PartnerRequest,
): Html {
  const operations = groups.map(({ label, operations }) => {
    const options = operations.map(one => option(one.id, one.summary, one.id === id))
    return html`<optgroup label="${label}">${options}</optgroup>`
  })
  const documents = versions.map(one => option(one.document, one.label, one.document === document))
  return html`<form class="inline" method="get" action="${linkTo(request.site, request.path)}">
${select('operation', 'operation', 'Operation', operations)}
${select('explorer-version', 'version', 'Version', documents)}
<p class="buttons"><button class="plain">Show</button></p>
</form>
`
}

const option = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}"${attribute('selected', isChosen)}>${label}</option>`

function select(id: string, name: string, label: string, options: readonly Html[]): Html {
  const input = html`<select id="${id}" name="${name}">${options}</select>`
  return html`<div class="field"><label for="${id}">${label}</label><div class="input">${input}</div></div>`
}
