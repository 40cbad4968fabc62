import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { PackageTable } from '../../domain/package.ts'

/** Returns the fault of terms that do not fit together: without a package quota, the agreement names one. */
export function checkTerms(
  { packageName, agreement, test }: Pick<Key, 'packageName' | 'agreement' | 'test'>,
  packageTable: PackageTable,
): AdminFault | undefined {
  const hasQuota = test || packageTable.packages[packageName].quota !== undefined || agreement.quota !== undefined
  return hasQuota ? undefined : adminFault('quota_required', ['agreement.quota'], { package: packageName })
}
