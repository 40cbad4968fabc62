import type { LimitName } from '../../../domain/agreement.ts'
import { type Key, noFeedsReason, permissionsOf } from '../../../domain/key.ts'
import {
  addOnPermissions,
  type PackageName,
  type PackageTable,
  type Permission,
  packageNames,
  permissions,
  type Quota,
} from '../../../domain/package.ts'
import { keyResource } from '../../../resources/key.ts'
import type { PeakSecond, RatePeaks } from '../../../usecases/admin/peak-rates.ts'
import type { KeyPeaks } from '../../../usecases/admin/peak-use.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { badge } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber, quotaText } from '../../../web/parts/number.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { permissionLabels } from '../../shared/key-parts.ts'
import { limitTexts } from '../../shared/terms-fields.ts'
import type { Refusals } from './refusals.ts'

interface Use {
  readonly peaks: KeyPeaks & RatePeaks
  readonly refusals: Refusals
  readonly zone: string
}

const limitNames = {
  rate: 'rate',
  burst: 'burst',
  quota: 'quota',
  search_rate: 'searchRate',
  search_burst: 'searchBurst',
  search_quota: 'searchQuota',
  autocomplete_rate: 'autocompleteRate',
  autocomplete_burst: 'autocompleteBurst',
} as const satisfies Readonly<Record<string, LimitName>>

/** Returns the limits of a key with their origin, and how near its calls came to them in 30 days. */
export function limitsTable(key: Key, terms: PackageTable, { peaks, refusals, zone }: Use): HtmlValue {
  const { limits } = keyResource(key, terms)
  const sources = { package: `Package ${key.packageName}`, agreement: 'Agreement', 'test key': 'Test key' }
  const peakOf = (name: LimitName): HtmlValue => {
    switch (name) {
      case 'quota':
      case 'searchQuota': {
        const peak = peaks[name]
        const day = peak && time(Date.parse(peak.day), 'UTC', 'day')
        return peak && html`${formatCount(peak.units, 'unit')} <span class="quiet">on ${day}</span>`
      }
      case 'rate':
        return ratePeak(peaks.rate, refusals.other, zone)
      case 'searchRate':
        return ratePeak(peaks.searchRate, refusals.search, zone)
      case 'autocompleteRate':
        return ratePeak(peaks.autocompleteRate, refusals.autocomplete, zone)
      default:
        return undefined
    }
  }
  return table({
    caption: `Limits of the key ${key.id}`,
    columns: [
      { label: 'Limit', kind: 'name', cell: name => limitTexts[limitNames[name]].label },
      {
        label: 'Value',
        cell: name => [
          quotaText(limits[name].value),
          ' ',
          html`<span class="quiet">${unitText(limitNames[name], limits[name].value)}</span>`,
        ],
      },
      { label: 'From', cell: name => html`<span class="nowrap">${sources[limits[name].source]}</span>` },
      { label: 'Peak in 30 days', cell: name => peakOf(limitNames[name]) },
    ],
    rows: Object.keys(limitNames) as (keyof typeof limitNames)[],
  })
}

/** Returns the second with the most admitted calls, and the number of calls that the limit refused. */
const ratePeak = (peak: PeakSecond | undefined, refused: number, zone: string): HtmlValue => [
  peak &&
    html`${formatCount(peak.calls, 'call')} in a second <span class="quiet">on ${time(peak.secondMs, zone)}</span>`,
  refused > 0 && html`${peak && '; '}${formatCount(refused, 'call')} <span class="quiet">refused with 429</span>`,
]

/** Returns the unit of a limit after its value: `requests a second`, `search a second`. */
function unitText(name: LimitName, value: Quota): string {
  const unit = limitTexts[name].hint.toLowerCase()
  return value === 1 ? unit.replace(/^searches/, 'search').replace(/^(request|unit)s/, '$1') : unit
}

/**
 * Returns the permissions of a key, the reason for each that it lacks, and the number of calls that were refused for
 * it.
 */
export function permissionTable(key: Key, terms: PackageTable, { byPermission }: Refusals): HtmlValue {
  const granted = permissionsOf(key, terms)
  const inPackage = terms.packages[key.packageName].permissions
  const reason = (name: Permission): string => {
    if (granted.has(name)) return inPackage.includes(name) ? `Package ${key.packageName}` : 'Add-on'
    const why = name === 'feeds' ? noFeedsReason(key, terms) : undefined
    if (why === 'test_key') return 'Test keys have no feeds.'
    if (why === 'scoped') return 'A key with a scope has no feeds, because they contain all places.'
    return `Not in the package ${key.packageName}`
  }
  return table({
    caption: `Permissions of the key ${key.id}`,
    columns: [
      { label: 'Permission', kind: 'name', cell: (name: Permission) => permissionLabels[name] },
      {
        label: 'State',
        cell: name => (granted.has(name) ? badge('good', 'Included') : badge('plain', 'Not included')),
      },
      { label: 'Reason', cell: reason },
      {
        label: 'Refused with 403 in 30 days',
        cell: name => (byPermission.has(name) ? formatCount(byPermission.get(name)!, 'call') : undefined),
      },
    ],
    rows: permissions,
  })
}

/** Returns the add-ons that a key does not have yet. */
export function missingAddOns({ packageName, addOns }: Key, { packages }: PackageTable): Permission[] {
  const has = [...packages[packageName].permissions, ...addOns]
  return addOnPermissions.filter(name => !has.includes(name))
}

/** Returns the packages side by side; the own one is marked. */
export function packageTable(own: PackageName | undefined, { packages, search }: PackageTable): HtmlValue {
  const hasPrices = packageNames.some(name => packages[name].price !== undefined)
  return html`${table<PackageName>({
    caption: 'Packages',
    columns: [
      {
        label: 'Package',
        kind: 'name',
        cell: name => html`${name}${name === own && html` ${badge('good', 'Yours')}`}`,
      },
      { label: 'Requests a second', kind: 'number', cell: name => formatNumber(packages[name].rate) },
      { label: 'Units in 24 hours', kind: 'number', cell: name => quotaText(packages[name].quota) },
      { label: 'Includes', cell: name => packages[name].permissions.map(one => permissionLabels[one]).join(', ') },
      ...(hasPrices ? [{ label: 'Price', cell: (name: PackageName) => packages[name].price }] : []),
    ],
    rows: packageNames,
  })}<p class="quiet small">Search has the same limits in all packages: ${formatCount(search.rate, 'search', 'searches')} a
second, ${formatNumber(search.burst)} at once, ${quotaText(search.quota)} in 24 hours.</p>`
}
