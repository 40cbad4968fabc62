import type { TopLevelCategory } from './category.ts'
import type { ScopeFacts } from './location.ts'

/** The part of the data that a key may access; a missing member does not restrict it. */
export interface Scope {
  readonly countries?: readonly string[]
  readonly categories?: readonly TopLevelCategory[]
  readonly sources?: readonly string[]
}

/** The scope without restrictions. */
export const fullScope: Scope = Object.freeze({})

/** Returns true if a scope restricts nothing. */
export const isFullScope = ({ countries, categories, sources }: Scope): boolean =>
  countries === undefined && categories === undefined && sources === undefined

/** Returns true if a key with this scope may access the location. */
export function inScope(scope: Scope, facts: ScopeFacts): boolean {
  return (
    (scope.countries === undefined || (facts.country !== undefined && scope.countries.includes(facts.country))) &&
    (scope.categories === undefined || scope.categories.includes(facts.category)) &&
    (scope.sources === undefined || scope.sources.includes(facts.source))
  )
}
