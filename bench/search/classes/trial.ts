import type { TopLevelCategory } from '../../../packages/server/src/domain/category.ts'
import type { Point } from '../../../packages/server/src/domain/search.ts'
import type { Known } from './known.ts'

export type Random = () => number

export interface Found {
  readonly place: Known
  /** Name that matched, if the result has it. */
  readonly matched?: string | undefined
}

/** Grade of an answer: of its first result, and of its first five; 0 to 1. */
export interface Grade {
  readonly first: number
  readonly five: number
}

/** A query made from the data, and the judgement of its answer. */
export interface Trial {
  readonly text: string
  readonly near?: Point
  readonly geoName?: string
  readonly categories?: readonly TopLevelCategory[]
  /** Number of results that the judgement needs; default 10. */
  readonly limit?: number
  readonly grade: (found: readonly Found[]) => Grade
}

/** Makes one query of a class. */
export type Maker = () => Trial
export type Makers = Readonly<Record<string, Maker>>

/** Grades by the rank of the first correct result. */
export const byRank =
  (isCorrect: (place: Known, matched: string | undefined) => boolean): Trial['grade'] =>
  found => {
    const rank = found.findIndex(({ place, matched }) => isCorrect(place, matched))
    return { first: rank === 0 ? 1 : 0, five: rank >= 0 && rank < 5 ? 1 : 0 }
  }

/** Grades by the share of the first five that fit, of those that the data has. */
export const byShare =
  (fits: (place: Known) => boolean, available: number): Trial['grade'] =>
  found => {
    const wanted = Math.min(5, available)
    const fitting = found.slice(0, wanted).filter(({ place }) => fits(place)).length
    return { first: found.length > 0 && fits(found[0]!.place) ? 1 : 0, five: fitting / wanted }
  }

/** Grades an answer that has to be empty. */
export const byNothing: Trial['grade'] = found => {
  const grade = found.length === 0 ? 1 : 0
  return { first: grade, five: grade }
}

export const pickFrom = (random: Random) => ({
  /** Returns a random element; of a text, a random letter. */
  one: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!,
  letter: (text: string): string => text[Math.floor(random() * text.length)]!,
  /** Repeats until a value is made; throws if the data has hardly any. */
  until: <T>(make: () => T | undefined): T => {
    for (let i = 0; i < 20_000; i++) {
      const made = make()
      if (made !== undefined) return made
    }
    throw new Error('The data has too few places for this class.')
  },
})
export type Pick = ReturnType<typeof pickFrom>
