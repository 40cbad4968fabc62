import { type AdminFault, adminFault } from '../../../domain/admin-fault.ts'
import { topLevelNames } from '../../../domain/category.ts'
import type { Key, KeyChange } from '../../../domain/key.ts'
import type { Scope } from '../../../domain/scope.ts'
import { addDays } from '../../../kit/dates.ts'
import { isCalendarDate, startOfDay, toLocalDate } from '../../../kit/time.ts'
import type { Choice, Field } from '../../../web/parts/form.ts'
import type { FormValues } from '../../pages/page-route.ts'
import { scopeText } from '../../shared/key-parts.ts'
import { readScope, scopeFields } from '../../shared/terms-fields.ts'

const restrictions = 'Restrictions: when and where the key works'

/** The terms of a key that its partner chooses. */
export type OwnKeyFields = Pick<Key, 'name' | 'expiresMs' | 'networks' | 'scope'>

/** Returns the fields for the terms of a key. `widest` is the widest scope that it can have. */
export function ownTermFields(
  { name, expiresMs, networks, scope }: OwnKeyFields,
  widest: Scope,
  zone: string,
): Field[] {
  return [
    {
      name: 'name',
      label: 'Name',
      value: name ?? '',
      required: false,
      placeholder: 'Website backend',
      hint: 'What uses the key: a service, a website, a person.',
    },
    {
      name: 'expires_at',
      label: 'Last day',
      type: 'date',
      value: lastDay(expiresMs, zone),
      required: false,
      group: restrictions,
      hint: `The key ends after this day in the time zone ${zone}. Leave empty for a key without an end.`,
    },
    {
      name: 'networks',
      label: 'Networks',
      type: 'textarea',
      value: (networks ?? []).join('\n'),
      required: false,
      group: restrictions,
      hint: 'Networks or addresses that may use the key, one per line, such as 203.0.113.0/24. Leave empty to allow every address.',
    },
    ...scopeFields(scope).map(field => withinPartner(field, widest)),
  ]
}

/** Shows names of categories, only those that the partner has, and what the partner's keys can have at most. */
function withinPartner(field: Field, widest: Scope): Field {
  if (field.name === 'scope.categories') {
    const isOffered = ({ value }: Choice) => widest.categories?.some(name => name === value) ?? true
    const choices = (field.choices ?? []).filter(isOffered).map(toNamedChoice)
    return { ...field, choices, hint: 'Select no category to allow all of them. A key with a scope cannot use feeds.' }
  }
  const limit = scopeText(widest)
  const isLimited = widest[field.name === 'scope.countries' ? 'countries' : 'sources'] !== undefined
  return isLimited ? { ...field, hint: `Separated by commas. At most: ${limit}.` } : field
}

const toNamedChoice = ({ value }: Choice): Choice => ({
  value,
  label: topLevelNames[value as keyof typeof topLevelNames],
})

const lastDay = (expiresMs: number | undefined, zone: string): string =>
  expiresMs === undefined ? '' : toLocalDate(expiresMs - 1, zone)

/** Reads the terms of a form. */
export function readOwnTerms(
  form: FormValues,
  zone: string,
): Required<Pick<KeyChange, 'name' | 'expiresMs' | 'networks' | 'scope'>> | AdminFault {
  const day = form.text('expires_at')
  if (day !== '' && !isCalendarDate(day)) return adminFault('end_invalid', ['expires_at'], { expiresMs: 0 })
  const networks = form
    .text('networks')
    .split(/[\s,;]+/)
    .filter(Boolean)
  return {
    name: form.text('name'),
    expiresMs: day === '' ? null : startOfDay(addDays(day, 1), zone),
    networks: networks.length === 0 ? null : networks,
    scope: readScope(form),
  }
}

/** Reads the change of a key. An end within the day that was shown stays as it is; a new one must be in the future. */
export function readKeyChange(
  key: Key,
  form: FormValues,
  { zone, nowMs }: { readonly zone: string; readonly nowMs: number },
): KeyChange | AdminFault {
  const terms = readOwnTerms(form, zone)
  if ('fault' in terms) return terms
  const { name, expiresMs, ...rest } = terms
  const hasNewEnd = form.text('expires_at') !== lastDay(key.expiresMs, zone)
  if (hasNewEnd && expiresMs !== null && expiresMs <= nowMs)
    return adminFault('end_invalid', ['expires_at'], { expiresMs })
  return { ...rest, ...(name !== (key.name ?? '') && { name }), ...(hasNewEnd && { expiresMs }) }
}
