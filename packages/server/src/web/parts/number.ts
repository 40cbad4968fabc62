import { formatNumber } from '../../kit/format-number.ts'

export { formatCount, formatNumber } from '../../kit/format-number.ts'

const compactFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** Returns a number for axes and tiles: 12.3K. */
export const formatCompact = (value: number): string => compactFormat.format(value)

/** Returns a share from 0 to 1 as a percentage: 12.3%. */
export const formatPercent = (share: number): string => percentFormat.format(share)

/** Returns a number of bytes in the unit that fits: 12.3 MB. */
export function formatBytes(value: number): string {
  const names = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = value < 1000 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(value) / 3))
  const shown = value / 1000 ** step
  return `${step === 0 || shown >= 100 ? Math.round(shown) : shown.toFixed(1)} ${names[step]}`
}

/** Returns a daily quota as text: "10,000", "unlimited"; undefined is a quota that is agreed with each partner. */
export const quotaText = (quota: number | 'unlimited' | undefined): string => {
  if (quota === undefined) return 'by agreement'
  return quota === 'unlimited' ? 'unlimited' : formatNumber(quota)
}
