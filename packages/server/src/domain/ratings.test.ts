import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countReview, emptyTotals, type ReviewTotals, summarise } from './ratings.ts'

interface Counted {
  readonly rating?: number
  readonly language?: string
  readonly subratings?: { type: string; rating: number }[]
}

const totalsOf = (reviews: readonly Counted[]): ReviewTotals => {
  const totals = emptyTotals()
  for (const review of reviews) countReview(totals, review, 1)
  return totals
}

const hundredths = fc.integer({ min: 100, max: 500 }).map(n => n / 100)
const review = fc.record(
  {
    rating: hundredths,
    language: fc.constantFrom('en', 'de', 'de-AT', 'constructor'),
    subratings: fc.array(
      fc.record({ type: fc.constantFrom('value', 'rooms', 'constructor', 'to_string'), rating: hundredths }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)

describe('running totals (R-23)', () => {
  it('additions and removals in any order result in the same totals as counting the rest', () => {
    const steps = fc.array(fc.tuple(review, fc.boolean(), fc.nat()), { maxLength: 60 })
    fc.assert(
      fc.property(steps, list => {
        const running = emptyTotals()
        const present: Counted[] = []
        for (const [one, adds, at] of list) {
          if (adds || present.length === 0) {
            present.push(one)
            countReview(running, one, 1)
          } else {
            const [gone] = present.splice(at % present.length, 1)
            countReview(running, gone!, -1)
          }
        }
        expect(running).toEqual(totalsOf(present))
      }),
    )
  })

  it.each([
    [[5, 4, 4], 4.33, [0, 0, 0, 2, 1]],
    [[4.5, 3.5], 4, [0, 0, 0, 1, 1]],
    [[1, 1, 2, 1], 1.25, [3, 1, 0, 0, 0]],
    [[4.99, 4.98], 4.99, [0, 0, 0, 0, 2]],
    [[3.01, 3.02, 3.02], 3.02, [0, 0, 3, 0, 0]],
  ])('%o have the mean %f', (ratings, mean, byRating) => {
    const totals = totalsOf(ratings.map(rating => ({ rating })))
    expect(totals.byRating).toEqual(byRating)
    expect(summarise(undefined, totals)?.overall).toEqual({ rating: mean, count: ratings.length })
  })
})

describe('whose summary is served (R-23)', () => {
  const own = {
    overall: { rating: 1.5, count: 2 },
    subratings: [{ type: 'value', rating: 1 }],
    breakdowns: [{ rating: 1, count: 2 }],
    languageCounts: [{ language: 'fr', count: 2 }],
  }
  const five = (count: number) => totalsOf(Array.from({ length: count }, () => ({ rating: 5, language: 'en' })))

  it('the larger source gives everything but the languages; a tie goes to the reviews', () => {
    const languageCounts = (count: number) => [{ language: 'en', count }]
    expect(summarise(own, undefined)).toEqual(own)
    expect(summarise(own, five(1))).toEqual({ ...own, languageCounts: languageCounts(1) })
    for (const count of [2, 3]) {
      const summary = summarise(own, five(count))
      expect(summary).toMatchObject({ overall: { rating: 5, count }, languageCounts: languageCounts(count) })
      expect(summary).not.toHaveProperty('subratings')
    }
  })

  it('reviews without a rating never replace ratings', () => {
    const words = totalsOf([{ language: 'en' }, {}])
    expect(summarise(own, words)).toEqual({ ...own, languageCounts: [{ language: 'en', count: 1 }] })
    expect(summarise(undefined, words)).toEqual({ languageCounts: [{ language: 'en', count: 1 }] })
    expect(summarise({ overall: { rating: 4 } }, totalsOf([{ rating: 1 }]))).toMatchObject({
      overall: { rating: 1, count: 1 },
    })
  })

  it('nothing is no summary', () => {
    expect(summarise(undefined, undefined)).toBeUndefined()
    expect(summarise({}, emptyTotals())).toBeUndefined()
    expect(summarise(undefined, totalsOf([{}]))).toBeUndefined()
  })

  it('languages come by count, then by name; ratings best first', () => {
    const totals = totalsOf([{ language: 'fr' }, { language: 'de' }, { language: 'es', rating: 2 }, { language: 'es' }])
    const summary = summarise(undefined, totals)
    expect(summary?.languageCounts).toEqual([
      { language: 'es', count: 2 },
      { language: 'de', count: 1 },
      { language: 'fr', count: 1 },
    ])
    expect(summary?.breakdowns?.map(one => one.rating)).toEqual([5, 4, 3, 2, 1])
  })
})
