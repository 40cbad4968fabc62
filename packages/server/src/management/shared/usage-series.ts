import type { UsageTotals } from '../../domain/ledger.ts'
import type { MemoryOrders } from '../../domain/list-order.ts'
import type { UsageReport } from '../../domain/usage-report.ts'
import { anyHues, operationHue, placeHue, statusHue, versionHue } from '../../web/charts/hues.ts'
import { foldSeries, type Series } from '../../web/charts/series.ts'
import { versionTitle } from '../../web/parts/version-badge.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { readNames } from './names.ts'
import type { SeriesDimension, UsagePageFilter } from './usage-filter.ts'

/** The sums of one value of a dimension. */
export interface UsageLine extends UsageTotals {
  readonly id: string
  readonly label: string
  readonly hue: string
}

/** The orders of the sums. */
export const lineOrders: MemoryOrders<UsageLine> = {
  name: { first: 'asc', value: ({ label }) => label },
  calls: { first: 'desc', value: ({ calls }) => calls },
  units: { first: 'desc', value: ({ units }) => units },
  billable: { first: 'desc', value: ({ billableUnits }) => billableUnits },
}

/** A report as a chart and its table. */
export interface ChartedUsage {
  /** For each date, in the order of `dates`. */
  readonly series: readonly Series[]
  /** The sums of each value, the largest first. */
  readonly lines: readonly UsageLine[]
}

/** Maximum number of lines of the table. */
const maxLines = 100

/** Converts a report by day and one more dimension to series. */
export async function chartUsage(
  context: ManagementContext,
  request: PageRequest,
  { rows }: UsageReport,
  { by, show, dates }: Pick<UsagePageFilter, 'by' | 'show'> & { readonly dates: readonly string[] },
): Promise<ChartedUsage> {
  const places = new Map(dates.map((date, i) => [date, i]))
  const groups = Map.groupBy(rows, row => String(row[by]))
  const hueOf = await createHues(context, request, by)
  const all = [...groups].map(([id, some]) => {
    const values = dates.map(() => 0)
    for (const row of some) values[places.get(String(row.day))!]! += row[show]
    return { id, label: id, hue: hueOf(id), values }
  })
  const lines = [...groups]
    .map(([id, some]) => ({ id, ...addTotals(some) }))
    .sort((a, b) => b[show] - a[show] || b.calls - a.calls || (a.id < b.id ? -1 : 1))
    .slice(0, maxLines)
  const folded = foldSeries(all, by === 'status' || by === 'version' ? { max: 8, minShare: 0 } : {})
  const series = by === 'key' || by === 'partner' ? distinguish(folded) : folded
  const names = await nameValues(
    context,
    request,
    by,
    [...series, ...lines].map(({ id }) => id),
  )
  const shown = new Map(series.map(({ id, hue }) => [id, hue]))
  return {
    series: series.map(one => (one.id === '' ? one : { ...one, label: names.get(one.id) ?? one.id })),
    lines: lines.map(line => ({ ...line, label: names.get(line.id) ?? line.id, hue: shown.get(line.id) ?? 'other' })),
  }
}

/** Gives each series that would repeat an earlier colour the next free one. */
function distinguish(series: readonly Series[]): readonly Series[] {
  const taken = new Set<string>()
  return series.map(one => {
    const free = one.id === '' || !taken.has(one.hue) ? one.hue : anyHues.find(hue => !taken.has(hue))!
    taken.add(free)
    return { ...one, hue: free }
  })
}

function addTotals(rows: readonly UsageTotals[]): UsageTotals {
  const sum = (name: keyof UsageTotals) => rows.reduce((total, row) => total + row[name], 0)
  return { calls: sum('calls'), units: sum('units'), billableUnits: sum('billableUnits') }
}

/** Returns the function from a value to its colour. Keys of a partner have the colours of their places in its list. */
async function createHues(
  { admin }: ManagementContext,
  { visibility }: PageRequest,
  by: SeriesDimension,
): Promise<(id: string) => string> {
  if (by === 'operation') return operationHue
  if (by === 'version') return versionHue
  if (by === 'status') return statusHue
  if ('all' in visibility) return id => placeHue(hashOf(id))
  const places = new Map((await admin.keys.keys(visibility)).map(({ id }, i) => [id, i]))
  return id => placeHue(places.get(id) ?? hashOf(id))
}

const hashOf = (text: string): number => [...text].reduce((hash, c) => (hash * 31 + c.codePointAt(0)!) >>> 0, 7)

/** Returns the labels of values whose label is not the value itself. */
async function nameValues(
  context: ManagementContext,
  request: PageRequest,
  by: SeriesDimension,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (by === 'version') return new Map(ids.map(id => [id, versionTitle(id)]))
  if (by !== 'key' && by !== 'partner') return new Map()
  return readNames(
    context,
    request,
    by,
    ids.filter(id => id !== ''),
  )
}
