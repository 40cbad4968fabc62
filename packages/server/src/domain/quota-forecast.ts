/** Number of full days that the average covers. */
export const averageDays = 7
/** A trend needs as many days with use. */
const minTrendDays = 14
/** A trend is not extended further, in days. */
const maxAheadDays = 180

/** The use of a quota as the last days suggest. */
export interface QuotaForecast {
  /** Average of the last seven full days, in units a day. */
  readonly average: number
  /** The most units of one day. */
  readonly peak: number
  /** Days until the trend reaches the quota; undefined if it does not within 180 days. */
  readonly daysLeft?: number
}

/**
 * Forecasts when the units of a day reach a quota, by a straight line through the days since the first use. `days` are
 * full days, the latest last. The quota counts windows of 24 hours that need not begin at midnight, so this is an
 * estimate.
 */
export function forecastQuota(days: readonly number[], quota: number): QuotaForecast {
  const latest = days.slice(-averageDays)
  const average = latest.length === 0 ? 0 : mean(latest)
  const peak = Math.max(0, ...days)
  const used = days.slice(days.findIndex(units => units > 0))
  if (peak === 0 || used.length < minTrendDays) return { average, peak }
  const { slope, end } = fitLine(used)
  const ahead = slope <= 0 ? Number.POSITIVE_INFINITY : (quota - end) / slope
  return { average, peak, ...(ahead > 0 && ahead <= maxAheadDays && { daysLeft: Math.ceil(ahead) }) }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Fits a line by least squares; `end` is its value at the last day. */
function fitLine(values: readonly number[]): { readonly slope: number; readonly end: number } {
  const [centre, level] = [(values.length - 1) / 2, mean(values)]
  const spread = values.reduce((sum, _, i) => sum + (i - centre) ** 2, 0)
  const slope = values.reduce((sum, value, i) => sum + (i - centre) * (value - level), 0) / spread
  return { slope, end: level + slope * centre }
}
