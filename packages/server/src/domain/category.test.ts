import { describe, expect, it } from 'vitest'
import { categoryDisplayName, findTopLevelCategory, toCategoryId } from './category.ts'

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
