/** Returns the median: the mean of the two middle values of an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** Returns the value of the argument `--name value`. */
export function flag(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? fallback : (process.argv[at + 1] ?? fallback)
}

/** Returns true if `--name` is among the arguments. */
export const hasFlag = (name: string): boolean => process.argv.includes(`--${name}`)
