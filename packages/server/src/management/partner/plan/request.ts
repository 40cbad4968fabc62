import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Key } from '../../../domain/key.ts'
import { type PackageTable, type Permission, packageNames } from '../../../domain/package.ts'
import { type UpgradeAsk, type UpgradeKind, type UpgradeRequest, upgradeKinds } from '../../../domain/upgrade.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import { listUpgrades } from '../../../usecases/admin/list-upgrades.ts'
import { openUpgrade } from '../../../usecases/admin/open-upgrade.ts'
import { withdrawUpgrade } from '../../../usecases/admin/withdraw-upgrade.ts'
import { html } from '../../../web/html.ts'
import type { Field } from '../../../web/parts/form.ts'
import { notice } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import { type FormValues, type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionOf } from '../../pages/revision.ts'
import { keyName, packageText, permissionLabels } from '../../shared/key-parts.ts'
import { ownForm } from '../../shared/own-form.ts'
import { packageChoices } from '../../shared/terms-fields.ts'
import { askText } from '../../shared/upgrade-parts.ts'
import { missingAddOns } from './plan-tables.ts'

const titles: Readonly<Record<UpgradeKind, string>> = {
  package: 'Request another package',
  add_on: 'Request an add-on',
  quota: 'Request more units',
  live_key: 'Request a live key',
}

/** A request that the path names: its kind, and the key that it concerns. */
interface Subject {
  readonly kind: UpgradeKind
  /** Undefined for a live key. */
  readonly key: Key | undefined
  /** The open request of the kind. */
  readonly open: UpgradeRequest | undefined
}

/** The forms that ask for better terms, and the withdrawal of a request. */
export const upgradeRequestPages = [
  partnerPage({
    method: 'GET',
    path: '/plan/request/:kind',
    permission: 'own:write',
    handler: async (context, request) => {
      const subject = await findSubject(context, request, request.query.key)
      return isAdminFault(subject) ? subject : requestView(context, request, subject)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/plan/request/:kind',
    permission: 'own:write',
    handler: async (context, request) => {
      const { actor, form: values, partner } = request
      const subject = await findSubject(context, request, values.text('key'))
      if (isAdminFault(subject)) return subject
      const { kind, key } = subject
      const ask = readAsk(kind, values)
      if (isAdminFault(ask)) return requestView(context, request, subject, ask)
      const input = { ask, keyId: key?.id, partnerId: partner.id, reason: values.text('reason') }
      const opened = await openUpgrade(context.admin, actor, input)
      if (isAdminFault(opened)) return requestView(context, request, subject, opened)
      const to = key === undefined ? '' : `?key=${key.id}`
      return {
        redirect: `/portal/${partner.id}/plan${to}`,
        message: 'Your request was sent. The operator will decide on it.',
      }
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/plan/requests/:id/withdraw',
    permission: 'own:write',
    handler: async ({ admin }, { actor, params, partner, form: values }) => {
      const input = { id: params.id!, expectedRevision: revisionOf(values) }
      const withdrawn = await withdrawUpgrade(admin, actor, input)
      if (isAdminFault(withdrawn)) return withdrawn
      return { redirect: `/portal/${partner.id}/plan`, message: 'The request was withdrawn.' }
    },
  }),
]

async function findSubject(
  { admin }: ManagementContext,
  { actor, params, partner }: PartnerRequest,
  keyId: string | undefined,
): Promise<Subject | AdminFault> {
  const kind = upgradeKinds.find(one => one === params.kind)
  if (!kind) return adminFault('upgrade_unknown', ['kind'], { upgrade: params.kind! })
  const key = kind === 'live_key' ? undefined : await getKey(admin, actor, { id: keyId ?? '' })
  if (isAdminFault(key)) return key
  const requests = await listUpgrades(admin, actor, { state: 'open', partnerId: partner.id })
  const open = requests.find(one => one.ask.kind === kind && one.keyId === key?.id)
  return { kind, key, open }
}

/** Returns what a form asks for. Values that no choice offers are refused by the use case. */
function readAsk(kind: UpgradeKind, values: FormValues): UpgradeAsk | AdminFault {
  const packageName = packageNames.find(name => name === values.text('package'))
  if (kind === 'package')
    return packageName === undefined ? adminFault('upgrade_incomplete', ['package'], { kind }) : { kind, packageName }
  if (kind === 'add_on') return { kind, addOn: values.text('add_on') as Permission }
  if (kind === 'live_key') return { kind, ...(packageName !== undefined && { packageName }) }
  const text = values.text('agreement.quota').toLowerCase()
  return { kind, quota: text === 'unlimited' ? text : Number(text.replaceAll(/[\s,_]/g, '')) }
}

function requestView(
  { admin }: ManagementContext,
  request: PartnerRequest,
  { kind, key, open }: Subject,
  fault?: AdminFault,
): PageView {
  const { partner, site, zone, form: values } = request
  const plan = `/portal/${partner.id}/plan${key === undefined ? '' : `?key=${key.id}`}`
  const fields = requestFields(kind, key, admin.packageTable)
  const refused = fault && refuseForm(fields, values, fault)
  return {
    ...(refused && { status: refused.status }),
    title: titles[kind],
    lead: key && html`For the key ${keyName(key)}, now in the package ${packageText(key)}.`,
    trail: [{ path: plan, label: 'Plan' }],
    content: [
      open
        ? notice(
            'info',
            html`<p>${askText(open.ask)} was requested ${time(open.createdMs, zone)}. The operator has not decided on it
yet; <a href="${linkTo(site, `${plan}#requests`)}">withdraw it</a> to ask for something else.</p>`,
            fault && 'alert',
          )
        : ownForm(request, 'own:write', {
            action: linkTo(site, `/portal/${partner.id}/plan/request/${kind}`),
            button: 'Send request',
            error: refused?.error,
            fields: refused?.fields ?? fields,
            cancel: { href: linkTo(site, plan), label: 'Cancel' },
          }),
      sameElsewhere({ cli: commandOf(kind, key, partner.id), api: 'POST /admin/v1/upgrade-requests' }),
    ],
  }
}

/** Returns the command of the operator that opens a request. */
function commandOf(kind: UpgradeKind, key: Key | undefined, partnerId: string): string {
  if (key === undefined) return `periplus upgrades open --partner ${partnerId} --reason TEXT`
  const asks = { package: '--package NAME', add_on: '--add-on NAME', quota: '--quota N', live_key: '' }
  return `periplus upgrades open --key ${key.id} ${asks[kind]} --reason TEXT`
}

function requestFields(kind: UpgradeKind, key: Key | undefined, terms: PackageTable): Field[] {
  return [
    ...(key === undefined ? [] : [{ name: 'key', label: 'Key', type: 'hidden', value: key.id } as const]),
    ...askFields(kind, key, terms),
    {
      name: 'reason',
      label: 'Reason',
      type: 'textarea',
      hint: 'What you want to do with it. It helps the operator to decide.',
    },
  ]
}

function askFields(kind: UpgradeKind, key: Key | undefined, terms: PackageTable): Field[] {
  if (kind === 'quota')
    return [
      {
        name: 'agreement.quota',
        label: 'Units in 24 hours',
        placeholder: '500000',
        hint: 'A number, or the word unlimited.',
      },
    ]
  if (kind === 'add_on') {
    const choices = missingAddOns(key!, terms).map(name => ({ value: name, label: permissionLabels[name] }))
    return [{ name: 'add_on', label: 'Add-on', type: 'radio', choices, value: choices[0]?.value }]
  }
  const choices = packageChoices(terms).filter(({ value }) => value !== key?.packageName)
  return [
    {
      name: 'package',
      label: 'Package',
      type: 'radio',
      value: '',
      choices: kind === 'live_key' ? [{ value: '', label: 'As the operator suggests' }, ...choices] : choices,
    },
  ]
}
