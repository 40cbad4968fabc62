/** Permissions that endpoints require of a key (SPEC §4, R-03). */
export const permissions = ['locations', 'reviews', 'recommendations', 'feeds'] as const
export type Permission = (typeof permissions)[number]

/** Permissions that can be added to a package. */
export const addOnPermissions: readonly Permission[] = ['recommendations', 'feeds']

/** Subscription packages (SPEC §5.1). */
export const packageNames = ['discover', 'growth', 'scale', 'innovate', 'transform'] as const
export type PackageName = (typeof packageNames)[number]

/** A number of units, or no limit. */
export type Quota = number | 'unlimited'

/** A subscription package (SPEC §8.1). Without a quota, an agreement must name one. */
export interface Package {
  readonly permissions: readonly Permission[]
  /** Requests per second, sustained. */
  readonly rate: number
  /** Units per 24-hour window. */
  readonly quota?: Quota
  /** A text of the operator, such as `EUR 49 a month`. Shown on statements and public pages, never computed with. */
  readonly price?: string
}

/** Limits of the one bucket that the four search endpoints of a key share (SPEC §8.3). */
export interface SearchLimits {
  readonly rate: number
  readonly burst: number
  readonly quota: Quota
}

/** The packages that the operator offers, and the limits of search (R-03, SPEC §8). */
export interface PackageTable {
  readonly packages: Readonly<Record<PackageName, Package>>
  readonly search: SearchLimits
}
