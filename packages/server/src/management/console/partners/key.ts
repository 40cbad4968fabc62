import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { FeedName } from '../../../domain/feed.ts'
import { type Key, type KeyChange, noFeedsReason } from '../../../domain/key.ts'
import type { KeySecret } from '../../../domain/key-secret.ts'
import type { LimitStatus } from '../../../domain/limit-status.ts'
import type { PackageTable } from '../../../domain/package.ts'
import type { Partner } from '../../../domain/partner.ts'
import { dayMs } from '../../../kit/time.ts'
import { secretResource } from '../../../resources/key-secret.ts'
import { changeKey } from '../../../usecases/admin/change-key.ts'
import { getLimits } from '../../../usecases/admin/get-limits.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { getPins } from '../../../usecases/admin/get-pins.ts'
import { listSecrets } from '../../../usecases/admin/list-secrets.ts'
import { undoWithinMs } from '../../../usecases/admin/undo-pin.ts'
import { type Html, html } from '../../../web/html.ts'
import { confirm } from '../../../web/parts/confirm.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { buttonForm, type Field, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { dayText, time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type RefusedForm, refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { exportFormat, exportLinks, exportRows } from '../../shared/export.ts'
import { keyTermFields, readKeyTerms } from '../../shared/key-fields.ts'
import { keyKind, keyName, keyState, packageText, secretEnding } from '../../shared/key-parts.ts'
import { limitMeters } from '../../shared/limit-meters.ts'
import { defaultOverlap, overlapChoices, refuseRotation } from '../../shared/overlaps.ts'
import { partnerKeyPath, readKeyOfPath } from './key-actions.ts'
import { pinsCard } from './pins.ts'
import { trailOf } from './terms.ts'

/** A key with what its page shows. */
interface KeyView {
  readonly key: Key
  readonly partner: Partner
  readonly secrets: readonly KeySecret[]
  readonly status: LimitStatus
  /** Feeds whose last move can be undone. */
  readonly undoable: readonly FeedName[]
}

async function readKey(context: ManagementContext, request: PageRequest): Promise<KeyView | AdminFault> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { admin, live } = context
  const { id, partnerId } = key
  const partner = await getPartner(admin, request.actor, { id: partnerId })
  const found = await listSecrets(admin, request.actor, { id })
  const limits = await getLimits({ ...admin, live }, request.actor, { id })
  if (isAdminFault(partner)) return partner
  if (isAdminFault(found)) return found
  if (isAdminFault(limits)) return limits
  const pins = await getPins(admin, request.actor, { id })
  if (isAdminFault(pins)) return pins
  const recent = pins.history.filter(({ atMs }) => request.nowMs - atMs <= undoWithinMs)
  const undoable = recent.map(({ feed }) => feed)
  return { key, partner, secrets: found.secrets, status: limits.status, undoable }
}

/** Shows a key: its limits now, secrets and terms. */
export async function keyPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const view = await readKey(context, request)
  if (isAdminFault(view)) return view
  const format = exportFormat(request)
  if (format) return exportRows('secrets', format, view.secrets.toReversed().map(secretResource))
  return render(context, request, view)
}

/** The form of the page that was refused: of the terms, or of a rotation. */
interface Refused {
  readonly which: 'terms' | 'rotate'
  readonly form: RefusedForm
}

/** Shows a key with a form that was refused. */
export async function refusedKeyPage(
  context: ManagementContext,
  request: PageRequest,
  which: Refused['which'],
  fault: AdminFault,
): Promise<PageAnswer> {
  const view = await readKey(context, request)
  if (isAdminFault(view)) return view
  if (view.key.state === 'revoked') return fault
  const { form: sent } = request
  const refused =
    which === 'terms'
      ? refuseForm(termFields(context, view.key), sent, fault)
      : refuseRotation(rotationFields(view.key), sent, fault)
  return render(context, request, view, { which, form: refused })
}

const termFields = ({ admin }: ManagementContext, key: Key): Field[] => [
  revisionField(key),
  ...keyTermFields(key, admin.packageTable),
]

function render(context: ManagementContext, request: PageRequest, view: KeyView, refused?: Refused): PageView {
  const { admin } = context
  const { key, partner } = view
  const { site, may, nowMs } = request
  const path = linkTo(site, partnerKeyPath(key))
  const canWrite = may('keys:write')
  const canChange = canWrite && key.state !== 'revoked'
  const fieldsFor = (which: Refused['which'], fields: readonly Field[]) => {
    const { fields: shown, error } = refused?.which === which ? refused.form : { fields, error: undefined }
    return { fields: shown, error }
  }
  return {
    ...(refused && { status: refused.form.status }),
    title: keyName(key),
    trail: trailOf(partner),
    lead: html`${keyKind(key)} ${keyState(key, nowMs)} <span class="id">${key.id}</span>`,
    content: [
      limitsCard(view, request, admin.packageTable),
      secretsCard(view, request),
      canChange &&
        card(
          'Rotate',
          form({
            action: `${path}/rotate`,
            ...fieldsFor('rotate', rotationFields(key)),
            button: 'Rotate',
            kind: 'plain',
          }),
          { id: 'rotate' },
        ),
      canChange
        ? card('Terms', form({ action: path, ...fieldsFor('terms', termFields(context, key)), button: 'Save terms' }), {
            id: 'terms',
          })
        : card('Terms', termFacts(view, request)),
      noFeedsReason(key, admin.packageTable) === undefined && pinsCard(key, view.undoable, request),
      canWrite && key.state !== 'revoked' && stateCard(key, path),
      sameElsewhere({
        cli: `periplus keys show ${key.id}\nperiplus keys limits ${key.id}`,
        api: `GET /admin/v1/keys/${key.id}`,
      }),
    ],
  }
}

function limitsCard(
  { key, status }: KeyView,
  { site, may, zone, nowMs }: PageRequest,
  packageTable: PackageTable,
): Html {
  const hasPenalty = [status.package, status.search].some(({ penalty }) => penalty)
  const action = linkTo(site, `${partnerKeyPath(key)}/forgive`)
  const shared = key.agreement.subject === 'partner' && html`<p class="quiet">All keys of the partner share them.</p>`
  return card(
    'Limits now',
    html`${shared}${limitMeters({ key, status, packageTable, zone, nowMs })}`,
    hasPenalty && may('keys:write') ? { actions: buttonForm(action, 'Forgive penalty') } : {},
  )
}

function secretsCard({ key, secrets }: KeyView, { site, may, zone, nowMs }: PageRequest): Html {
  const action = linkTo(site, `${partnerKeyPath(key)}/end-secret`)
  const isValid = ({ expiresMs }: KeySecret) => expiresMs === undefined || expiresMs > nowMs
  const end = (secret: KeySecret) =>
    may('keys:write') &&
    isValid(secret) &&
    confirm({
      label: 'End',
      button: 'End this secret',
      action,
      question: 'Calls with this secret are refused at once.',
      hidden: { revision: String(key.revision), secret: secret.id },
    })
  return card(
    'Secrets',
    table({
      caption: 'Secrets',
      columns: [
        { label: 'Secret', kind: 'name', cell: ({ last4 }) => secretEnding(last4) },
        { label: 'Created', cell: ({ createdMs }) => time(createdMs, zone) },
        { label: 'Last used', cell: ({ lastUsedDay }) => dayText(lastUsedDay) },
        {
          label: 'Ends',
          cell: ({ expiresMs }) => (expiresMs === undefined ? 'With the key' : time(expiresMs, zone)),
        },
        { label: 'Action', kind: 'actions', cell: end },
      ],
      rows: secrets,
    }),
    { actions: exportLinks(linkTo(site, partnerKeyPath(key)), {}) },
  )
}

const rotationFields = ({ revision }: Key): Field[] => [
  revisionField({ revision }),
  {
    name: 'overlap',
    label: 'Earlier secrets stay valid for',
    type: 'select',
    value: defaultOverlap,
    choices: overlapChoices,
    hint: 'Long enough for every deployment of the partner to get the new one.',
  },
]

const termFacts = ({ key }: KeyView, { zone }: PageRequest): Html =>
  facts([
    ['Package', packageText(key)],
    ['Ends', key.expiresMs !== undefined && time(key.expiresMs, zone)],
    ['Networks', key.networks?.join(', ')],
    ['Created', time(key.createdMs, zone)],
    ['Notes', key.notes],
  ])

function stateCard(key: Key, path: string): Html {
  const revision = String(key.revision)
  const toggle =
    key.state === 'active'
      ? buttonForm(`${path}/state`, 'Disable', { revision, state: 'disabled' })
      : buttonForm(`${path}/state`, 'Enable', { revision, state: 'active' })
  const revoke = confirm({
    label: 'Revoke',
    button: 'Revoke this key',
    action: `${path}/state`,
    question: 'Revoking is final: all secrets of the key end, and it cannot be enabled again.',
    hidden: { revision, state: 'revoked' },
  })
  const text = 'A disabled key is refused until it is enabled again; its limits and usage remain.'
  return card('State', html`<p>${text}</p><div class="actions">${toggle}${revoke}</div>`)
}

/** Changes the terms of a key. */
export async function changeKeyTerms(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { form: sent, actor } = request
  const terms = readKeyTerms(sent)
  const change: KeyChange = {
    notes: null,
    expiresMs: null,
    networks: null,
    ...(key.name !== undefined && { name: '' }),
    ...terms,
    ...(terms.expiresMs !== undefined && { expiresMs: keepTime(key.expiresMs, terms.expiresMs) }),
    packageName: terms.packageName ?? key.packageName,
  }
  const expectedRevision = revisionOf(sent)
  const changed = await changeKey(context.admin, actor, { id: key.id, expectedRevision, change })
  if (!isAdminFault(changed)) return { redirect: partnerKeyPath(key), message: 'The terms were saved.' }
  return refusedKeyPage(context, request, 'terms', changed)
}

/** Returns the end that a form sets. The form has days only: an unchanged day keeps its time of day. */
const keepTime = (beforeMs: number | undefined, startOfDayMs: number): number =>
  beforeMs !== undefined && beforeMs - (beforeMs % dayMs) === startOfDayMs ? beforeMs : startOfDayMs
