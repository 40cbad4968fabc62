import { editDistance } from './edit-distance.ts'

/** Returns the most similar of `names`; undefined if all differ too much. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const target = normalize(name)
  const ranked = names
    .map(known => {
      const other = normalize(known)
      const most = getMaxDistance(target, other)
      return { known, distance: editDistance(target, other, most), most }
    })
    .filter(({ distance, most }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.known
}

/** Removes differences of spelling style: `public_url` equals `publicUrl`. */
const normalize = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase().slice(0, 63)

/** Returns the maximum distance of similar names. Names that share less than half of their letters are never similar. */
function getMaxDistance(a: string, b: string): number {
  const most = a.length < 5 ? 1 : a.length < 9 ? 2 : 3
  return Math.min(most, Math.ceil(Math.max(a.length, b.length) / 2) - 1)
}
