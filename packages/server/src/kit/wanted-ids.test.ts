import { expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { WantedIds } from './wanted-ids.ts'

test('finds ids of up to 63 bits in an ascending list, in any order', () => {
  const random = createRandom(1)
  const id = () => (BigInt(Math.floor(random() * 4)) << 61n) | BigInt(Math.floor(random() * 2 ** 33))
  for (const size of [0, 1, 2, 40, 1000]) {
    const list = BigUint64Array.from({ length: size }, id).sort()
    const wanted = BigUint64Array.from(new Set([...list.filter((_, i) => i % 3 === 0), id(), id(), 0n].toReversed()))
    const found = new WantedIds(wanted).indexesIn(list)
    expect(Array.from(found, at => (at < 0 ? -1n : list[at]!))).toEqual(
      Array.from(wanted, one => (list.includes(one) ? one : -1n)),
    )
  }
})
