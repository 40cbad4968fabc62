import { type Key, noFeedsReason } from './key.ts'
import { addOnPermissions, type PackageTable, type Permission, packageNames } from './package.ts'

/** Says which permission an endpoint requires. */
export const permissionSentence = (permission: Permission): string =>
  `This endpoint requires the permission ${permission}.`

/** Says why a key does not have a permission, and how it can get it (SPEC §5.3, §5.4). */
export function explainMissingPermission(key: Key, permission: Permission, packageTable: PackageTable): string {
  const reason = permission === 'feeds' ? noFeedsReason(key, packageTable) : undefined
  if (reason === 'test_key') return 'Test keys have no feeds; use a live key.'
  if (reason === 'scoped') return 'A feed contains the complete data set, and this key has a restricted scope.'
  const ways = [
    ...(addOnPermissions.includes(permission) ? [`the add-on ${permission}`] : []),
    ...listPackages(permission, packageTable),
  ]
  if (ways.length === 0) return 'No package of this service has it.'
  return `The package ${key.packageName} does not have it. Ask the operator for ${joinWords(ways)}.`
}

/** Returns the packages with a permission as one phrase, or nothing. */
function listPackages(permission: Permission, { packages }: PackageTable): string[] {
  const names = packageNames.filter(name => packages[name].permissions.includes(permission))
  return names.length === 0 ? [] : [`the package ${joinWords(names)}`]
}

/** Joins words with commas and `or`. */
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
