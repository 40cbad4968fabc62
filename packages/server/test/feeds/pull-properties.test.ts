/** A pull yields the records of the edition, for every base and every sequence of deltas. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedName } from '../../src/domain/feed.ts'
import { PullWorld } from './pull-world.ts'

/** JSON text of ids: numbers, or strings (version 0 reviews, enums). Few, so that deltas hit existing records. */
const digits = fc.oneof(
  fc.integer({ min: 1, max: 30 }).map(BigInt),
  fc.constantFrom(10n ** 15n - 1n, 10n ** 15n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 2n, 2n ** 63n - 1n),
)
const words = fc.tuple(fc.constantFrom('category', 'sub', 'trip'), fc.string({ unit: 'grapheme', maxLength: 3 }))
const feeds = fc.oneof(
  fc.record({ feed: fc.constant<FeedName>('locations'), ids: fc.constant(digits.map(String)) }),
  fc.record({ feed: fc.constant<FeedName>('reviews'), ids: fc.constant(digits.map(id => `"${id}"`)) }),
  fc.record({
    feed: fc.constant<FeedName>('enums'),
    ids: fc.constant(words.map(pair => JSON.stringify(pair.join(':')))),
  }),
)

const rounds = (id: fc.Arbitrary<string>) =>
  fc.array(
    fc.record({
      changes: fc.array(fc.tuple(id, fc.option(fc.string({ unit: 'grapheme' }))), { maxLength: 25 }),
      // A full build first publishes the delta up to it.
      full: fc.boolean(),
      pull: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )

const cases = feeds.chain(({ feed, ids }) =>
  fc.record({
    feed: fc.constant(feed),
    encoding: fc.constantFrom('zstd' as const, 'gzip' as const),
    partRecords: fc.integer({ min: 1, max: 20 }),
    rounds: rounds(ids),
  }),
)

test('a pull after any number of random deltas yields the records of the edition', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ feed, encoding, partRecords, rounds }) => {
      const world = await PullWorld.open({ feed, encoding, partRecords })
      try {
        world.edition.full()
        for (const { changes, full, pull } of [...rounds, { changes: [], full: false, pull: true }]) {
          for (const [id, text] of changes) {
            if (text === null) world.edition.model.delete(id)
            else world.edition.model.set(id, `{"id":${id},"text":${JSON.stringify(text)}}`)
          }
          world.edition.delta()
          if (full) world.edition.full()
          if (!pull) continue
          expect((await world.pull()).failed).toEqual([])
          expect(world.result(feed)).toBe(world.edition.result())
          expect(world.state(feed).checksum_of_result).toBe(world.edition.checksum())
        }
        expect(world.messages).toEqual([])
      } finally {
        await world.close()
      }
    }),
    { numRuns: Number(process.env.PERIPLUS_PULLS ?? 20) },
  )
})
