/** A generator of pseudo-random numbers in [0, 1) that depend only on its seed. */
export type Random = () => number

/** Returns a 32-bit hash of a text (FNV-1a with a final mix). */
export function hash32(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Creates a generator (mulberry32) from a text. Each place has its own, so that adding a place changes no other. */
export function randomFrom(seed: string): Random {
  let state = hash32(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Draws a whole number from `low` to `high` (inclusive). */
export const between = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1))

/** Draws an item of a list, which must not be empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

/** Draws `count` distinct items of a list, in random order. */
export function pickSome<T>(random: Random, list: readonly T[], count: number): T[] {
  const rest = [...list]
  const chosen: T[] = []
  while (chosen.length < count && rest.length > 0) {
    chosen.push(...rest.splice(Math.floor(random() * rest.length), 1))
  }
  return chosen
}

/** Draws a value of a list of [value, weight]. */
export function pickWeighted<T>(random: Random, list: readonly (readonly [T, number])[]): T {
  let rest = random() * list.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of list) {
    rest -= weight
    if (rest < 0) return value
  }
  return list[list.length - 1]![0]
}
