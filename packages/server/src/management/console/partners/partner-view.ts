import type { AuditPage } from '../../../domain/audit-log.ts'
import type { Key } from '../../../domain/key.ts'
import { type MemoryOrders, pageOrders } from '../../../domain/list-order.ts'
import type { PackageTable } from '../../../domain/package.ts'
import type { Partner, PartnerNote } from '../../../domain/partner.ts'
import type { CallPage } from '../../../domain/request-log.ts'
import type { UpgradeRequest } from '../../../domain/upgrade.ts'
import type { PricedStatement, UsageReportLine } from '../../../domain/usage-report.ts'
import type { User } from '../../../domain/user.ts'
import type { RatePeaks } from '../../../usecases/admin/peak-rates.ts'
import type { KeyPeaks } from '../../../usecases/admin/peak-use.ts'
import type { PeriodReport } from '../../../usecases/admin/report-usage.ts'
import type { TableOrder } from '../../../web/parts/sort-head.ts'
import type { TargetText } from '../../shared/audit-targets.ts'
import { keyName } from '../../shared/key-parts.ts'
import { userOrders } from '../../shared/people-parts.ts'

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
  readonly rates: ReadonlyMap<string, RatePeaks>
  readonly calls: CallPage
  readonly changes: AuditPage
  /** Names the targets of the changes. */
  readonly targetText: TargetText
  /** Statements of the current month and the two before. */
  readonly statements: readonly PricedStatement[]
  readonly packageTable: PackageTable
}

/** The orders of the keys. */
export const keyOrdersOf = (peaks: PartnerView['peaks']): MemoryOrders<Key> => ({
  key: { first: 'asc', value: keyName },
  peak: { first: 'desc', value: ({ id }) => peaks.get(id)?.quota?.units },
  search_peak: { first: 'desc', value: ({ id }) => peaks.get(id)?.searchQuota?.units },
  last_used: { first: 'desc', value: ({ lastUse }) => lastUse?.day },
  ends: { first: 'asc', value: ({ expiresMs }) => expiresMs },
  state: { first: 'asc', value: ({ state }) => state },
})

/** The orders of the usage by operation. */
export const usageOrders: MemoryOrders<UsageReportLine> = {
  operation: { first: 'asc', value: ({ operation }) => operation },
  calls: { first: 'desc', value: ({ calls }) => calls },
  units: { first: 'desc', value: ({ units }) => units },
  billable: { first: 'desc', value: ({ billableUnits }) => billableUnits },
}

/** The orders of the page: of its keys and its users. */
export const partnerPageOrders = pageOrders(
  { by: 'key', isDescending: false },
  keyOrdersOf(new Map()),
  userOrders,
  usageOrders,
)

/** A partner as the page shows it, and the order that the reader has chosen. */
export interface SortedPartnerView extends PartnerView {
  readonly order: TableOrder
}

/** Returns the path of the partner's page, or of one below it. */
export const pathOf = ({ partner }: PartnerView, path = ''): string => `/console/partners/${partner.id}${path}`
