import { editDistance } from '../kit/edit-distance.ts'

/** The one of `names` that was most likely meant by `name`; undefined where none is near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const asked = plain(name)
  const ranked = names
    .map(known => ({ known, distance: editDistance(asked, plain(known), farthest(asked)) }))
    .filter(({ distance }) => distance <= farthest(asked))
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.known
}

/** How it is written is not how it differs: `public_url` is `publicUrl`. */
const plain = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase().slice(0, 63)

const farthest = (name: string): number => (name.length < 5 ? 1 : name.length < 9 ? 2 : 3)
