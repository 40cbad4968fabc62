import type { TopLevelCategory } from './category.ts'
import type { ScopeFacts } from './location.ts'

/** What part of the data a key sees; an absent member does not narrow. */
export interface Scope {
  readonly countries?: readonly string[]
  readonly categories?: readonly TopLevelCategory[]
  readonly sources?: readonly string[]
}

/** The scope that sees everything. */
export const everything: Scope = Object.freeze({})

/** Whether a key of this scope may see the location. */
export function inScope(scope: Scope, facts: ScopeFacts): boolean {
  return (
    (scope.countries === undefined || (facts.country !== undefined && scope.countries.includes(facts.country))) &&
    (scope.categories === undefined || scope.categories.includes(facts.category)) &&
    (scope.sources === undefined || scope.sources.includes(facts.source))
  )
}
