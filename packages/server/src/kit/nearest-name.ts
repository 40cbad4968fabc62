import { editDistance } from './edit-distance.ts'

/**
 * Returns the most similar of `names`: the one with the fewest different letters, the one with the same words in
 * another order, or the only one that begins with the name. Undefined if all differ too much.
 */
export const findNearest = (name: string, names: readonly string[]): string | undefined =>
  findBySpelling(name, names) ?? findByWords(name, names)

/**
 * Returns the `count` most similar of `names`, the most similar first: those with few different letters that begin in
 * the same way. Equally similar ones are in alphabetical order.
 */
export function findNearestNames(name: string, names: readonly string[], count: number): readonly string[] {
  const target = normalize(name)
  const ranked = names.map(known => ({ known, difference: differenceOf(target, normalize(known)) }))
  return ranked
    .sort((a, b) => a.difference - b.difference || (a.known < b.known ? -1 : 1))
    .slice(0, count)
    .map(({ known }) => known)
}

/** Returns the edit distance of two texts, less the letters that they begin with. */
function differenceOf(a: string, b: string): number {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return editDistance(a, b, Math.max(a.length, b.length)) - shared
}

function findBySpelling(name: string, names: readonly string[]): string | undefined {
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

/** Returns the name with the same words in another order, or the only one that begins with the given name. */
function findByWords(name: string, names: readonly string[]): string | undefined {
  const words = sortWords(name)
  const start = normalize(name)
  const longer = start.length < 3 ? [] : names.filter(known => normalize(known).startsWith(start))
  return names.find(known => sortWords(known) === words) ?? (longer.length === 1 ? longer[0] : undefined)
}

const sortWords = (name: string): string => name.toLowerCase().split(/[-_.]/).sort().join()

/** Removes differences of spelling style: `public_url` equals `publicUrl`. */
const normalize = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase().slice(0, 63)

/**
 * Returns the maximum distance of similar names. Names that share less than half of their letters are never similar.
 */
function getMaxDistance(a: string, b: string): number {
  const most = a.length < 5 ? 1 : a.length < 9 ? 2 : 3
  return Math.min(most, Math.ceil(Math.max(a.length, b.length) / 2) - 1)
}
