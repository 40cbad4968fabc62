import { computeGrant } from '../../../access/grant.ts'
import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { limitNames } from '../../../domain/agreement.ts'
import { applyKeyChange, type Key } from '../../../domain/key.ts'
import type { Partner } from '../../../domain/partner.ts'
import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import type { User } from '../../../domain/user.ts'
import { approveUpgrade, askedKeyChange } from '../../../usecases/admin/approve-upgrade.ts'
import { declineUpgrade } from '../../../usecases/admin/decline-upgrade.ts'
import { findUpgrade } from '../../../usecases/admin/find-upgrade.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { listUsers } from '../../../usecases/admin/list-users.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type RefusedForm, refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { keyName, packageText } from '../../shared/key-parts.ts'
import { agreementFields, limitTexts, readAgreement } from '../../shared/terms-fields.ts'
import { actorName } from '../../shared/timeline.ts'
import { askText, upgradeState } from '../../shared/upgrade-parts.ts'

/** A request with what its page shows. */
interface UpgradeView {
  readonly upgrade: UpgradeRequest
  readonly partner: Partner
  /** Missing for a live key. */
  readonly key: Key | undefined
  readonly users: readonly User[]
}

/** The refused form of a page with two. */
interface Refused {
  readonly which: 'approve' | 'decline'
  readonly form: RefusedForm
}

async function readUpgrade(
  { admin, identity }: ManagementContext,
  { actor, params }: PageRequest,
): Promise<UpgradeView | AdminFault> {
  const upgrade = await findUpgrade(admin.upgrades, actor, params.id!)
  if (isAdminFault(upgrade)) return upgrade
  const partner = await getPartner(admin, actor, { id: upgrade.partnerId })
  if (isAdminFault(partner)) return partner
  const key = upgrade.keyId === undefined ? undefined : await getKey(admin, actor, { id: upgrade.keyId })
  if (isAdminFault(key)) return key
  return { upgrade, partner, key, users: await listUsers(identity, actor, {}) }
}

/** Shows an upgrade request, and the forms that decide it. */
export async function upgradePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const view = await readUpgrade(context, request)
  return isAdminFault(view) ? view : render(context, request, view)
}

function render(context: ManagementContext, request: PageRequest, view: UpgradeView, refused?: Refused): PageView {
  const { upgrade, partner } = view
  const { id, ask, state } = upgrade
  return {
    ...(refused && { status: refused.form.status }),
    title: askText(ask),
    trail: [{ path: '/console/upgrades', label: 'Upgrades' }],
    lead: html`${upgradeState(state)} Requested by ${partner.name}`,
    content: [
      requestCard(view, request),
      view.key && effectCard(context, view.key, upgrade),
      state === 'open' && request.may('requests:decide') && decisionForms(request, view, refused),
      sameElsewhere({
        cli: `periplus upgrades approve ${id}\nperiplus upgrades decline ${id} --answer TEXT`,
        api: `POST /admin/v1/upgrade-requests/${id}/approve`,
      }),
    ],
  }
}

function requestCard({ upgrade, partner, key, users }: UpgradeView, { site, zone }: PageRequest): Html {
  const { reason, by, createdMs, decidedBy, decidedMs, answer } = upgrade
  const partnerPath = `/console/partners/${partner.id}`
  return card(
    'Request',
    facts([
      ['Partner', link(linkTo(site, partnerPath), partner.name)],
      ['Key', key && link(linkTo(site, `${partnerPath}/keys/${key.id}`), keyName(key))],
      ['Live keys', !key && `at most ${partner.liveKeysMax} now`],
      ['Reason', reason],
      ['Requested', html`${time(createdMs, zone)} by ${actorName(by, users)}`],
      ['Decided', decidedMs !== undefined && html`${time(decidedMs, zone)} by ${actorName(decidedBy ?? '', users)}`],
      ['Answer', answer],
    ]),
  )
}

/** Returns package, price and limits of the key now, and with the requested change. */
function effectCard({ admin: { packageTable } }: ManagementContext, key: Key, { ask, state }: UpgradeRequest): Html {
  const after = applyKeyChange(key, askedKeyChange(key, ask))
  const [before, then] = [key, after].map(one => computeGrant(one, packageTable).limits) as [Limits, Limits]
  const price = ({ packageName }: Key) => packageTable.packages[packageName].price ?? 'Not stated'
  const rows: (readonly [string, string, string])[] = [
    ['Package', packageText(key), packageText(after)],
    ['Price', price(key), price(after)],
    ...limitNames.map(name => [limitTexts[name].label, show(before[name].value), show(then[name].value)] as const),
  ]
  if (state !== 'open') return html``
  return card(
    'Before and after',
    table({
      caption: 'Limits before and after',
      columns: [
        { label: 'Limit', kind: 'name', cell: ([label]) => label },
        { label: 'Now', cell: ([, now]) => now },
        { label: 'After approval', cell: ([, now, next]) => (now === next ? next : html`<strong>${next}</strong>`) },
      ],
      rows,
    }),
  )
}

type Limits = ReturnType<typeof computeGrant>['limits']

const show = (value: number | 'unlimited'): string => (typeof value === 'number' ? formatNumber(value) : value)

const approvalFields = (upgrade: UpgradeRequest): Field[] => [
  revisionField(upgrade),
  ...agreementFields({}).filter(({ name }) => name !== 'agreement.subject'),
  { name: 'answer', label: 'Answer to the partner', type: 'textarea', required: false },
]

const declineFields = (upgrade: UpgradeRequest): Field[] => [
  revisionField(upgrade),
  { name: 'answer', id: 'decline-answer', label: 'Reason for the partner', type: 'textarea' },
]

function decisionForms({ site }: PageRequest, { upgrade }: UpgradeView, refused: Refused | undefined): HtmlValue {
  const path = linkTo(site, `/console/upgrades/${upgrade.id}`)
  const of = (which: Refused['which'], fields: readonly Field[]) => {
    const { fields: shown, error } = refused?.which === which ? refused.form : { fields, error: undefined }
    return { action: `${path}/${which}`, fields: shown, error }
  }
  return [
    card(
      'Approve',
      [
        html`<p>The change takes effect at once. Values of an agreement are added to what was requested,
or replace it.</p>`,
        form({ ...of('approve', approvalFields(upgrade)), button: 'Approve' }),
      ],
      { id: 'approve' },
    ),
    card('Decline', form({ ...of('decline', declineFields(upgrade)), button: 'Decline', kind: 'danger' }), {
      id: 'decline',
    }),
  ]
}

/** Approves a request, with an agreement if one is given. */
export async function approve(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const answer = sent.text('answer')
  const decided = await approveUpgrade(context.admin, actor, {
    id: params.id!,
    expectedRevision: revisionOf(sent),
    agreement: readAgreement(sent),
    ...(answer !== '' && { answer }),
  })
  return finish(context, request, decided, 'approve', approvalFields)
}

/** Declines a request. */
export async function decline(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor, params } = request
  const end = { id: params.id!, expectedRevision: revisionOf(sent), answer: sent.text('answer') }
  const decided = await declineUpgrade(context.admin, actor, end)
  return finish(context, request, decided, 'decline', declineFields)
}

async function finish(
  context: ManagementContext,
  request: PageRequest,
  decided: UpgradeRequest | AdminFault,
  which: Refused['which'],
  fieldsOf: (upgrade: UpgradeRequest) => Field[],
): Promise<PageAnswer> {
  const done = which === 'approve' ? 'approved' : 'declined'
  if (!isAdminFault(decided)) return { redirect: '/console/upgrades', message: `The request was ${done}.` }
  const view = await readUpgrade(context, request)
  if (isAdminFault(view)) return view
  if (view.upgrade.state !== 'open') return decided
  return render(context, request, view, { which, form: refuseForm(fieldsOf(view.upgrade), request.form, decided) })
}
