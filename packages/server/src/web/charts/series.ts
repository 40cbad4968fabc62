/** A named sequence of values, one for each day of a chart. */
export interface Series {
  /** The value of the dimension, such as the name of an operation or the id of a key. */
  readonly id: string
  readonly label: string
  /** Name of the colour in chart.css; see hues.ts. */
  readonly hue: string
  readonly values: readonly number[]
}

/** Returns the sum of values. */
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The series that are combined. */
export interface Folding {
  /** Number of series that remain. Default: 6. */
  readonly max?: number
  /** Series below this share of all values are combined. Default: 1 %. */
  readonly minShare?: number
}

/**
 * Returns the series from the largest to the smallest. All but the largest `max`, and those below `minShare`, are
 * combined in a last series, unless that would combine only one.
 */
export function foldSeries(all: readonly Series[], { max = 6, minShare = 0.01 }: Folding = {}): readonly Series[] {
  const sorted = all
    .map(series => ({ series, sum: sumOf(series.values) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || (a.series.id < b.series.id ? -1 : 1))
  const total = sumOf(sorted.map(({ sum }) => sum))
  const kept = sorted.filter(({ sum }, i) => i < max && sum >= total * minShare).map(({ series }) => series)
  const small = sorted.slice(kept.length).map(({ series }) => series)
  if (small.length <= 1) return [...kept, ...small]
  const values = small[0]!.values.map((_, day) => sumOf(small.map(series => series.values[day]!)))
  return [...kept, { id: '', label: `${small.length} others`, hue: 'other', values }]
}
