import type { Agreement, LimitName, LimitSubject } from '../../domain/agreement.ts'
import { limitNames } from '../../domain/agreement.ts'
import { topLevelCategories, topLevelNames } from '../../domain/category.ts'
import { addOnPermissions, type PackageTable, type Permission, packageNames } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Choice, Field } from '../../web/parts/form.ts'
import { formatCount, formatNumber } from '../../web/parts/number.ts'
import { toSnake } from '../fault-problems.ts'
import type { FormValues } from '../pages/page-route.ts'
import { permissionLabels } from './key-parts.ts'

/** Label and explanation of each limit. */
export const limitTexts: Readonly<Record<LimitName, { readonly label: string; readonly hint: string }>> = {
  rate: { label: 'Rate', hint: 'Requests a second' },
  burst: { label: 'Burst', hint: 'Requests at once' },
  quota: { label: 'Daily units', hint: 'Units in 24 hours' },
  searchRate: { label: 'Search rate', hint: 'Searches a second' },
  searchBurst: { label: 'Search burst', hint: 'Searches at once' },
  searchQuota: { label: 'Daily searches', hint: 'Searches in 24 hours' },
  autocompleteRate: { label: 'Autocomplete rate', hint: 'Requests a second' },
  autocompleteBurst: { label: 'Autocomplete burst', hint: 'Requests at once' },
}

const fieldName = (limit: LimitName): string => `agreement.${toSnake(limit)}`

const agreementGroup = 'Agreement: replaces the limits of the package where a value is given'
const scopeGroup = 'Scope: the part of the data that keys reach'

/** Returns the fields of an agreement; an empty one means the value of the package. */
export const agreementFields = (agreement: Agreement): Field[] => [
  ...limitNames.map(
    (limit): Field => ({
      name: fieldName(limit),
      ...limitTexts[limit],
      group: agreementGroup,
      value: agreement[limit] === undefined ? '' : String(agreement[limit]),
      required: false,
      ...(limit.toLowerCase().endsWith('quota') && { placeholder: 'a number, or unlimited' }),
    }),
  ),
  {
    name: 'agreement.subject',
    label: 'Limits count for',
    group: agreementGroup,
    type: 'select',
    value: agreement.subject ?? 'key',
    choices: [
      { value: 'key', label: 'each key separately' },
      { value: 'partner', label: 'all keys of the partner together' },
    ] satisfies { value: LimitSubject; label: string }[],
  },
]

/** Reads an agreement from a form; a text that is not a number becomes NaN, which the use cases refuse. */
export function readAgreement(form: FormValues): Agreement {
  const limits = limitNames.flatMap(limit => {
    const text = form.text(fieldName(limit)).toLowerCase()
    if (text === '') return []
    return [[limit, text === 'unlimited' ? text : Number(text.replaceAll(/[\s,_]/g, ''))] as const]
  })
  const subject = form.text('agreement.subject')
  return { ...Object.fromEntries(limits), ...(subject === 'partner' && { subject }) }
}

/** Returns the fields of a scope; an empty one does not restrict. */
export const scopeFields = ({ countries = [], categories = [], sources = [] }: Scope): Field[] => [
  {
    name: 'scope.countries',
    label: 'Countries',
    group: scopeGroup,
    value: countries.join(', '),
    required: false,
    hint: 'Two-letter codes, separated by commas. Leave empty for all countries.',
    placeholder: 'ES, PT',
  },
  {
    name: 'scope.categories',
    label: 'Categories',
    group: scopeGroup,
    type: 'checkboxes',
    value: categories,
    required: false,
    hint: 'Select no category to allow all of them.',
    choices: topLevelCategories.map(value => ({ value, label: topLevelNames[value] })),
  },
  {
    name: 'scope.sources',
    label: 'Sources',
    group: scopeGroup,
    value: sources.join(', '),
    required: false,
    hint: 'Names of data sources, separated by commas. Leave empty for all sources.',
  },
]

/** Reads a scope from a form. */
export function readScope(form: FormValues): Scope {
  const list = (name: string, separators: RegExp) =>
    form
      .text(name)
      .split(separators)
      .map(value => value.trim())
      .filter(Boolean)
  const countries = list('scope.countries', /[\s,;]+/).map(code => code.toUpperCase())
  const categories = form.all('scope.categories') as NonNullable<Scope['categories']>
  const sources = list('scope.sources', /[,;]/)
  return {
    ...(countries.length > 0 && { countries }),
    ...(categories.length > 0 && { categories }),
    ...(sources.length > 0 && { sources }),
  }
}

/** Returns the packages as choices, with their limits and prices. */
export const packageChoices = ({ packages }: PackageTable): Choice[] =>
  packageNames.map(name => {
    const { rate, quota, price } = packages[name]
    const units =
      quota === undefined
        ? 'units by agreement'
        : quota === 'unlimited'
          ? 'unlimited units'
          : `${formatNumber(quota)} units a day`
    return {
      value: name,
      label: `${name}: ${formatCount(rate, 'request')} a second, ${units}${price === undefined ? '' : `, ${price}`}`,
    }
  })

/** Returns the field of add-ons. */
export const addOnField = (addOns: readonly Permission[]): Field => ({
  name: 'add_ons',
  label: 'Add-ons',
  type: 'checkboxes',
  value: addOns,
  required: false,
  choices: addOnPermissions.map(value => ({ value, label: permissionLabels[value] })),
})
