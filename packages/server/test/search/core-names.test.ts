import { describe, expect, test } from 'vitest'
import { ids, indexOf, partedIndexOf, place, search } from './world.ts'

const sight = (id: number, name: string, latitude: number) =>
  place(id, name, { category: 'ATTRACTION', categoryIds: ['world_heritage'], notability: 0.57, latitude })
const town = (id: number, name: string, population: number, latitude: number) =>
  place(id, name, { category: 'GEO', categoryIds: ['geo:city'], population, latitude, country: 'US' })
const airport = (id: number, name: string, latitude: number, notability: number, code: string, city = '') =>
  place(id, name, {
    category: 'TRANSPORT',
    categoryIds: ['airport'],
    notability,
    latitude,
    codes: [code],
    surroundings: city === '' ? [] : [city],
    country: 'US',
  })

const documents = [
  sight(1, 'Archaeological Site of Philippi', 41),
  town(2, 'Philippi', 3300, 10),
  place(3, 'Philippi', { category: 'RESTAURANT', latitude: 20 }),
  sight(4, 'Historic Centre of Colonia', 50),
  town(5, 'Colonia', 9000, 50.1),
  town(6, 'Largetown', 1_300_000, 30),
  airport(7, 'Largetown Love Field', 30.05, 0.08, 'LLF', 'Largetown'),
  airport(8, 'Largetown-Smallville International Airport', 30.24, 0.19, 'LSI', 'Smallville'),
  airport(9, 'Other Airport', 30.2, 0.08, 'OTH', 'Smallville'),
  place(10, 'Hotel Largetown Airport', { category: 'HOTEL', categoryIds: ['hotel'], latitude: 30.2, country: 'US' }),
  town(11, 'Jackstown', 600_000, -10),
  ...Array.from({ length: 8 }, (_, i) => place(20 + i, `Jack's ${'ABCDEFGH'[i]} Grill`, { category: 'RESTAURANT' })),
  place(30, "Mc Donald's", { category: 'RESTAURANT' }),
  place(31, "McDonald's", { category: 'RESTAURANT' }),
]
const index = await indexOf(documents)
const parts = await partedIndexOf(documents, 7, 1)

function found(query: string): number[] {
  const { hits } = search(index, query)
  expect(search(parts, query).hits).toEqual(hits)
  return ids({ ...search(index, query), hits })
}

describe('core names and airports (R-155)', () => {
  test('a sight comes before a small town elsewhere that has its core name', () => {
    expect(found('philippi')).toEqual([1, 2, 3])
    expect(search(index, 'philippi').hits[0]!.matchedName?.value).toBe('Archaeological Site of Philippi')
  })

  test('a town comes before the sight in it', () => expect(found('colonia')).toEqual([5, 4]))

  test('the international airport named after a city comes first, and one without its name last', () => {
    expect(found('largetown airport').slice(0, 3)).toEqual([8, 7, 9])
    expect(found('largetown intl airport')[0]).toBe(8)
  })

  test('the code of an airport may follow its name', () => expect(found('largetown love field LLF')[0]).toBe(7))

  test('the names of many places make a word a whole one', () => {
    expect(found('jacks').slice(0, 8).sort()).toEqual([20, 21, 22, 23, 24, 25, 26, 27])
    expect(found('jac')[0]).toBe(11)
  })

  test('Mc and a name are one word, the spelling as typed first', () => {
    expect(found("mc donald's")).toEqual([30, 31])
    expect(found('mc donalds').sort()).toEqual([30, 31])
    expect(found('mcdonalds').sort()).toEqual([30, 31])
  })
})
