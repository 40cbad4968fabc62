import { editDistance } from './edit-distance.ts'

/** Returns the most similar of `names`, the first of several; undefined if all differ too much. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const target = normalize(name)
  let nearest: string | undefined
  let best = Number.POSITIVE_INFINITY
  for (const known of names) {
    const other = normalize(known)
    const most = Math.min(best - 1, getMaxDistance(target, other))
    if (Math.abs(target.length - other.length) > most) continue
    const distance = editDistance(target, other, most)
    if (distance > most) continue
    nearest = known
    best = distance
  }
  return nearest
}

/** Removes differences of spelling style: `public_url` equals `publicUrl`. */
const normalize = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase().slice(0, 63)

/** Returns the maximum distance of similar names. Names that share less than half of their letters are never similar. */
function getMaxDistance(a: string, b: string): number {
  const most = a.length < 5 ? 1 : a.length < 9 ? 2 : 3
  return Math.min(most, Math.ceil(Math.max(a.length, b.length) / 2) - 1)
}
