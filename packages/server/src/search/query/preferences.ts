import type { Wants } from '../../domain/interpretation.ts'
import type { SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import type { Variant } from './part-results.ts'
import { noWants } from './understand/reading.ts'
import { compileWants } from './wanted-facts.ts'

/** Preferences of a reading in a segment. */
type Preference = Pick<Variant, 'wanted' | 'isNearest'>

const nothing: Preference = { wanted: undefined, isNearest: false }

/** Preferences of the readings of a query, compiled once for each segment. */
export class Preferences {
  readonly #query: SearchQuery
  readonly #budget: Budget
  readonly #compiled = new Map<Wants, Map<Segment, Preference>>()

  constructor(query: SearchQuery, budget: Budget) {
    this.#query = query
    this.#budget = budget
  }

  in(segment: Segment, wants: Wants): Preference {
    if (wants === noWants) return nothing
    const ofSegments = this.#compiled.get(wants) ?? new Map<Segment, Preference>()
    this.#compiled.set(wants, ofSegments)
    const known = ofSegments.get(segment)
    if (known !== undefined) return known
    const { near, nowMs } = this.#query
    const wanted = compileWants(segment, wants, nowMs, this.#budget)
    const preference = { wanted, isNearest: wants.nearMe && near !== undefined }
    ofSegments.set(segment, preference)
    return preference
  }
}
