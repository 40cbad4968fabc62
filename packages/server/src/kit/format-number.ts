/** Formats a number with separators of thousands and at most two decimals: `10,000`. */
export function formatNumber(value: number | bigint): string {
  const rounded = typeof value === 'bigint' ? value : Math.round(value * 100) / 100
  const [whole, fraction] = String(rounded).split('.')
  const grouped = whole!.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Formats a count with its noun: `1 key`, `12,000 keys`. */
export const formatCount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`
