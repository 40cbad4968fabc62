/** What an endpoint may ask of a key (SPEC §4, R-03). */
export const permissions = ['locations', 'reviews', 'recommendations', 'feeds'] as const
export type Permission = (typeof permissions)[number]

/** SPEC §5.1. */
export const packageNames = ['discover', 'growth', 'scale', 'innovate', 'transform'] as const
export type PackageName = (typeof packageNames)[number]

/** A count of units, or no bound. */
export type Quota = number | 'unlimited'

/** SPEC §8.1. `quota` undefined: custom, an agreement has to say it. */
export interface Package {
  readonly permissions: readonly Permission[]
  /** Requests per second, sustained. */
  readonly rate: number
  /** Units per 24-hour window. */
  readonly quota?: Quota
}

/** SPEC §8.3: one bucket for the four search endpoints of a key. */
export interface SearchLimits {
  readonly rate: number
  readonly burst: number
  readonly quota: Quota
}

/** What the operator offers: the packages and the search bucket (R-03, SPEC §8). */
export interface PackageTable {
  readonly packages: Readonly<Record<PackageName, Package>>
  readonly search: SearchLimits
}
