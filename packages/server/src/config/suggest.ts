import { editDistance } from '../kit/edit-distance.ts'

/** Returns the most similar of `names`; undefined when all differ too much. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const wanted = normalize(name)
  const ranked = names
    .map(known => ({ known, distance: editDistance(wanted, normalize(known), maxDistance(wanted)) }))
    .filter(({ distance }) => distance <= maxDistance(wanted))
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.known
}

/** Removes differences of spelling style: `public_url` equals `publicUrl`. */
const normalize = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase().slice(0, 63)

const maxDistance = (name: string): number => (name.length < 5 ? 1 : name.length < 9 ? 2 : 3)
