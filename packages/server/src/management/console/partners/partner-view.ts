import type { AuditPage } from '../../../domain/audit-log.ts'
import type { Key } from '../../../domain/key.ts'
import type { PackageTable } from '../../../domain/package.ts'
import type { Partner, PartnerNote } from '../../../domain/partner.ts'
import type { CallPage } from '../../../domain/request-log.ts'
import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import type { PricedStatement } from '../../../domain/usage-report.ts'
import type { User } from '../../../domain/user.ts'
import type { KeyPeaks } from '../../../usecases/admin/peak-use.ts'
import type { PeriodReport } from '../../../usecases/admin/report-usage.ts'

/** A partner with everything that belongs to it. */
export interface PartnerView {
  readonly partner: Partner
  readonly keys: readonly Key[]
  readonly users: readonly User[]
  /** All users, to name the actors. */
  readonly everybody: readonly User[]
  /** Open upgrade requests. */
  readonly upgrades: readonly UpgradeRequest[]
  readonly notes: readonly PartnerNote[]
  /** Usage of the last 30 days by operation. */
  readonly report: PeriodReport
  readonly peaks: ReadonlyMap<string, KeyPeaks>
  readonly calls: CallPage
  readonly changes: AuditPage
  /** Statements of the current month and the two before. */
  readonly statements: readonly PricedStatement[]
  readonly packageTable: PackageTable
}

/** Returns the path of the partner's page, or of one below it. */
export const pathOf = ({ partner }: PartnerView, path = ''): string => `/console/partners/${partner.id}${path}`
