import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitBuckets } from '../../domain/limit-bucket.ts'
import { parseText, SubjectState } from './state-text.ts'

const count = fc.nat(Number.MAX_SAFE_INTEGER)
const state = fc.record({
  bucket: fc.constantFrom(...limitBuckets),
  windowStartMs: count,
  used: count,
  tatUs: count,
  penalty: fc.option(fc.record({ firstRefusalUs: count, promiseUs: count, strikes: fc.nat(7), struckUs: count }), {
    nil: undefined,
  }),
})

it('reads what it has written', () => {
  fc.assert(
    fc.property(fc.uniqueArray(state, { selector: one => one.bucket }), count, count, (states, epoch, lastUs) => {
      const written = new SubjectState()
      written.seed(
        'k1',
        states.map(one => ({ ...one, subject: 'k1' })),
      )
      const next = written.encode({ epoch, lastUs }, 2)
      const found = parseText(next.text)!
      expect(found).toEqual(next)
      const read = new SubjectState()
      read.load('k1', found)
      expect(read.encode({ epoch, lastUs }, 2)).toEqual(next)
      for (const { bucket, windowStartMs, used, tatUs, penalty } of states) {
        const table = read.tables[bucket]
        expect([table.windowStartMs(), table.used(), table.tatUs()]).toEqual([windowStartMs, used, tatUs])
        expect(table.penalty()).toEqual(penalty)
      }
    }),
  )
})

it.each(['', '1|2', '1|2|3 4|', 'x|2||', '1|2|||', '1|2|1 2 3 4||', '1|2|1 2 x|', '2~1|2||', '99~1|2|||'])(
  'refuses the text %j',
  text => {
    expect(parseText(text)).toBeUndefined()
  },
)
