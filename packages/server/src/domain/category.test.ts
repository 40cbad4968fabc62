import { describe, expect, it } from 'vitest'
import {
  categoryDisplayName,
  findTopLevelCategory,
  knownCategories,
  toCategoryId,
  topLevelCategories,
  withDescendants,
} from './category.ts'
import { categoryLanguages, categoryName } from './category-names.ts'

describe('the category tree (rulings: Import format)', () => {
  it.each([
    ['restaurant', 'RESTAURANT'],
    ['Cafe', 'RESTAURANT'],
    ['bar', 'RESTAURANT'],
    ['hotel', 'HOTEL'],
    ['Hostel', 'HOTEL'],
    ['vacation rental', 'HOTEL'],
    ['bed-and-breakfast', 'HOTEL'],
    ['museum', 'ATTRACTION'],
    ['monument', 'ATTRACTION'],
    ['theatre', 'ATTRACTION'],
    ['park', 'ATTRACTION'],
    ['geo:city', 'GEO'],
    ['geo:anything', 'GEO'],
    ['airport', 'TRANSPORT'],
    ['railway_station', 'TRANSPORT'],
    ['other', 'OTHER'],
    ['ATTRACTION', 'ATTRACTION'],
    ['dentist', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s is %s', (text, top) => expect(findTopLevelCategory(toCategoryId(text))).toBe(top))

  it.each([
    ['bed_and_breakfast', 'Bed and breakfast'],
    ['geo:city', 'City'],
    ['museum', 'Museum'],
  ])('%s is shown as %s', (id, name) => expect(categoryDisplayName(id)).toBe(name))
})

describe('the names of categories (R-151)', () => {
  const all = [...topLevelCategories, ...knownCategories()]

  it('are in all languages', () => {
    expect(new Set(topLevelCategories.flatMap(withDescendants))).toEqual(new Set(all))
    for (const id of all)
      for (const language of categoryLanguages) expect(categoryName(id, [language])).toMatch(/^\S(.*\S)?$/)
    expect(categoryName('museum', ['zh'])).toBe('博物馆')
  })

  it.each([
    ['railway_station', ['xx', 'de-AT', 'fr'], 'Bahnhof'],
    ['railway_station', ['en-GB', 'fr'], 'Railway station'],
    ['izakaya', ['fr'], 'Izakaya'],
    ['HOTEL', [], 'Hotels'],
  ])('%s in %j is %s', (id, languages, name) => expect(categoryName(id, languages)).toBe(name))
})
