/** Two records that are the same place, by their numbers. */
export interface SamePair {
  readonly a: number
  readonly b: number
  readonly probability: number
}

/** Maximum number of members of a cluster that is merged; larger ones are reported only. */
export const maxMembers = 8

/**
 * Joins pairs into clusters, the most probable pairs first. Two clusters are joined only if all their members may be
 * one place: `mayBeSame` compares two of them. Returns the members of each cluster.
 */
export function clusterPairs(
  pairs: readonly SamePair[],
  mayBeSame: (a: number, b: number) => boolean,
): (readonly number[])[] {
  const clusterOf = new Map<number, number[]>()
  const membersOf = (number: number): number[] => clusterOf.get(number) ?? [number]
  for (const { a, b } of pairs.toSorted((x, y) => y.probability - x.probability || x.a - y.a || x.b - y.b)) {
    const [left, right] = [membersOf(a), membersOf(b)]
    if (left === right) continue
    // Members that are already too many are not compared with each other: a person has to look at them.
    const areMany = left.length + right.length > 2 * maxMembers
    if (!areMany && !left.every(one => right.every(other => mayBeSame(one, other)))) continue
    const joined = [...left, ...right]
    for (const number of joined) clusterOf.set(number, joined)
  }
  return [...new Set(clusterOf.values())].map(members => members.toSorted((a, b) => a - b))
}
