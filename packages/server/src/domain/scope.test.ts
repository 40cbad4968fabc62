import { expect, it } from 'vitest'
import { fullScope, inScope, type Scope } from './scope.ts'

const facts = { source: 'atlas', country: 'ES', category: 'HOTEL' } as const
const { country: _, ...nowhere } = facts

it.each<[Scope, typeof nowhere & { country?: string }, boolean]>([
  [fullScope, facts, true],
  [fullScope, nowhere, true],
  [{ countries: ['FR', 'ES'] }, facts, true],
  [{ countries: ['FR'] }, facts, false],
  [{ countries: ['ES'] }, nowhere, false],
  [{ countries: [] }, facts, false],
  [{ categories: ['HOTEL'] }, facts, true],
  [{ categories: ['GEO'] }, facts, false],
  [{ sources: ['atlas'] }, facts, true],
  [{ sources: ['gazette'] }, facts, false],
  [{ countries: ['ES'], categories: ['HOTEL'], sources: ['atlas'] }, facts, true],
  [{ countries: ['ES'], categories: ['HOTEL'], sources: ['gazette'] }, facts, false],
])('scope %o sees %o: %s (R-03)', (scope, place, sees) => expect(inScope(scope, place)).toBe(sees))
