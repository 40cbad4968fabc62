import { editDistance } from '../kit/edit-distance.ts'

/** Returns the most similar of `names`; undefined if all differ too much. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const target = normalize(name)
  const ranked = names
    .map(known => ({ known, distance: editDistance(target, normalize(known), getMaxDistance(target)) }))
    .filter(({ distance }) => distance <= getMaxDistance(target))
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.known
}

/** Removes differences of spelling style: `public_url` equals `publicUrl`. */
const normalize = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase().slice(0, 63)

const getMaxDistance = (name: string): number => (name.length < 5 ? 1 : name.length < 9 ? 2 : 3)
