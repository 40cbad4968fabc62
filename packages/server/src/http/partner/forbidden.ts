import { type Fault, fault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { PackageTable, Permission } from '../../domain/package.ts'
import { explainMissingPermission, permissionSentence } from '../../domain/permission-words.ts'

/** Returns the 403 of a key without a permission; its detail names the permission, and who has it (SPEC §5.3, §5.4). */
export const toForbidden = (key: Key, permission: Permission, packageTable: PackageTable): Fault =>
  fault('forbidden', {
    detail: `${permissionSentence(permission)} ${explainMissingPermission(key, permission, packageTable)}`,
  })
