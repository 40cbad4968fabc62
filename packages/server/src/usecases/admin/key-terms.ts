import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type Agreement, limitNames } from '../../domain/agreement.ts'
import { topLevelCategories } from '../../domain/category.ts'
import type { Key, KeyChange } from '../../domain/key.ts'
import { addOnPermissions, type PackageTable, type Permission } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import { maxScopeValues } from '../../domain/text-bounds.ts'
import { checkSource } from './check-texts.ts'

/** Highest agreed rate, requests per second. */
const maxRate = 1_000_000

/** Returns the fault of terms that do not fit together: without a package quota, the agreement names one. */
export function checkTerms(
  { packageName, agreement, test }: Pick<Key, 'packageName' | 'agreement' | 'test'>,
  packageTable: PackageTable,
): AdminFault | undefined {
  const hasQuota = test || packageTable.packages[packageName].quota !== undefined || agreement.quota !== undefined
  return hasQuota ? undefined : adminFault('quota_required', ['agreement.quota'], { package: packageName })
}

/** Returns the fault of the first given term with an invalid value. */
export const checkTermValues = ({
  addOns = [],
  agreement = {},
  scope = {},
}: Pick<KeyChange, 'addOns' | 'agreement' | 'scope'>): AdminFault | undefined =>
  checkAddOns(addOns) ?? checkLimits(agreement) ?? checkScope(scope)

function checkAddOns(names: readonly Permission[]): AdminFault | undefined {
  const max = addOnPermissions.length
  if (names.length > max) return adminFault('values_too_many', ['add_ons'], { max })
  const invalid = names.find(name => !addOnPermissions.includes(name))
  return invalid && adminFault('add_on_invalid', ['add_ons'], { addOn: invalid, addOns: addOnPermissions })
}

function checkLimits(agreement: Agreement): AdminFault | undefined {
  for (const limit of limitNames) {
    const value = agreement[limit]
    if (value === undefined) continue
    const isRate = limit === 'rate' || limit === 'searchRate' || limit === 'autocompleteRate'
    const isQuota = limit === 'quota' || limit === 'searchQuota'
    const isValid =
      typeof value !== 'number'
        ? isQuota && value === 'unlimited'
        : isRate
          ? value > 0 && value <= maxRate
          : Number.isSafeInteger(value) && value >= 1
    if (isValid) continue
    const max = isRate ? maxRate : Number.MAX_SAFE_INTEGER
    return adminFault('limit_invalid', [`agreement.${limit}`], { limit, value, whole: !isRate, max })
  }
  return undefined
}

const isScopeValue: { readonly [R in keyof Required<Scope>]: (value: string) => boolean } = {
  countries: value => /^[A-Z]{2}$/.test(value),
  categories: value => topLevelCategories.some(category => category === value),
  sources: value => value.trim() !== '',
}

function checkScope(scope: Scope): AdminFault | undefined {
  for (const restriction of ['countries', 'categories', 'sources'] as const) {
    const [field, values = []] = [`scope.${restriction}`, scope[restriction]]
    if (values.length > maxScopeValues) return adminFault('values_too_many', [field], { max: maxScopeValues })
    const invalid = values.find(value => !isScopeValue[restriction](value))
    if (invalid !== undefined) return adminFault('scope_invalid', [field], { restriction, value: invalid })
  }
  for (const source of scope.sources ?? []) {
    const fault = checkSource(source, 'scope.sources')
    if (fault) return fault
  }
  return undefined
}
