import { withDescendants } from '../../domain/category.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { reservedTerm } from '../text/reserved-terms.ts'

/** Label sets of a segment. */
export type LabelSets = ReadonlySet<number>

/** Returns the label sets with any of the categories; categories below them do not count. */
export const labelSetsOf = (segment: Segment, categories: readonly string[], budget: Budget): LabelSets =>
  setsWithAny(segment, categories.map(reservedTerm.category), budget)

/** Returns the label sets with any of the categories, or with one below them in the tree. */
export const labelSetsBelow = (segment: Segment, categories: readonly string[], budget: Budget): LabelSets =>
  labelSetsOf(segment, [...new Set(categories.flatMap(withDescendants))], budget)

/** Returns the label sets with all of the attributes. */
export function labelSetsWithAll(segment: Segment, attributes: readonly string[], budget: Budget): LabelSets {
  const [first, ...others] = attributes.map(id => setsWithAny(segment, [reservedTerm.attribute(id)], budget))
  return others.reduce((all, sets) => all.intersection(sets), first ?? new Set<number>())
}

/** Returns the label sets that have all words of one of several phrases. */
export function labelSetsWithWords(
  segment: Segment,
  phrases: readonly (readonly string[])[],
  budget: Budget,
): LabelSets {
  const sets = new Set<number>()
  for (const words of phrases) {
    const [first, ...others] = words.map(word => setsWithAny(segment, [word], budget))
    for (const set of others.reduce((all, one) => all.intersection(one), first ?? new Set())) sets.add(set)
  }
  return sets
}

/** Returns the label sets with any of the terms. */
function setsWithAny({ terms, labels }: Segment, wanted: readonly string[], budget: Budget): LabelSets {
  const { termStart, termGroups } = labels
  const sets = new Set<number>()
  for (const text of wanted) {
    const term = terms.find(text)
    if (term < 0) continue
    budget.spend((termStart[term + 1]! - termStart[term]!) / 2)
    for (let at = termStart[term]!; at < termStart[term + 1]!; at++) sets.add(termGroups[at]!)
  }
  return sets
}
