const width = 64
const rows = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)] as const

/**
 * Optimal string alignment distance (Damerau-Levenshtein without editing a transposed pair again), or `limit + 1`
 * when it is larger. Both texts are shorter than 64 UTF-16 units.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [before, previous, row]: Uint8Array[] = [...rows]
  for (let j = 0; j <= b.length; j++) previous![j] = j
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    row![0] = i
    if (from > 1) row![from - 1] = limit + 1
    let best = from === 1 ? i : limit + 1
    const letter = a.charCodeAt(i - 1)
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1)
      const above = j < i + limit ? previous![j]! + 1 : limit + 1
      let cost = Math.min(previous![j - 1]! + (letter === other ? 0 : 1), row![j - 1]! + 1, above)
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && other === a.charCodeAt(i - 2)) {
        cost = Math.min(cost, before![j - 2]! + 1)
      }
      row![j] = cost
      if (cost < best) best = cost
    }
    if (best > limit) return limit + 1
    ;[before, previous, row] = [previous, row, before]
  }
  return Math.min(previous![b.length]!, limit + 1)
}
