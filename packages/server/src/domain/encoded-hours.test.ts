import { describe, expect, test } from 'vitest'
import { toWallClock } from '../kit/time.ts'
import { encodeHours, isOpenAt } from './encoded-hours.ts'
import { daysOfWeek, type OpeningHours, type Period } from './opening-hours.ts'

const daily = (opens: string, closes: string): Period[] => daysOfWeek.map(dayOfWeek => ({ dayOfWeek, opens, closes }))
const openAt = (hours: OpeningHours, zone: string, moment: string): boolean | undefined => {
  const encoded = encodeHours(hours)
  return encoded && isOpenAt(encoded, toWallClock(Date.parse(moment), zone)!)
}
const office: OpeningHours = {
  periods: [
    { dayOfWeek: 'MONDAY', opens: '09:00', closes: '12:00' },
    { dayOfWeek: 'MONDAY', opens: '14:00', closes: '18:00' },
    { dayOfWeek: 'FRIDAY', opens: '22:00', closes: '02:00' },
    { dayOfWeek: 'SUNDAY', opens: '00:00', closes: '00:00' },
  ],
  specialDays: [{ date: '2026-11-23' }, { date: '2026-11-30', opens: '10:00', closes: '11:00' }],
}

describe('opening hours (R-35)', () => {
  // 2026-11-16 is a Monday; Madrid is at UTC+1 in November.
  test.each([
    ['Monday morning', '2026-11-16T08:00:00Z', true],
    ['the minute before', '2026-11-16T07:59:00Z', false],
    ['lunch', '2026-11-16T11:00:00Z', false],
    ['the second period', '2026-11-16T13:30:00Z', true],
    ['the closing minute', '2026-11-16T17:00:00Z', false],
    ['Friday night', '2026-11-20T21:30:00Z', true],
    ['past midnight', '2026-11-21T00:59:00Z', true],
    ['past midnight, closed', '2026-11-21T01:00:00Z', false],
    ['all of Sunday, start', '2026-11-21T23:00:00Z', true],
    ['all of Sunday, end', '2026-11-22T22:59:00Z', true],
    ['a Monday that is closed', '2026-11-23T09:00:00Z', false],
    ['a Monday with its own hours', '2026-11-30T09:30:00Z', true],
    ['a Monday with its own hours, later', '2026-11-30T14:00:00Z', false],
  ])('%s', (_, moment, open) => expect(openAt(office, 'Europe/Madrid', moment)).toBe(open))

  test('opening hours follow daylight saving time', () => {
    const hours = { periods: daily('09:00', '10:00') }
    expect(openAt(hours, 'Europe/Madrid', '2026-07-01T07:30:00Z')).toBe(true)
    expect(openAt(hours, 'Europe/Madrid', '2026-12-01T07:30:00Z')).toBe(false)
    expect(openAt(hours, 'Europe/Madrid', '2026-12-01T08:30:00Z')).toBe(true)
  })

  test('a period of a special day continues after midnight', () => {
    const hours = {
      periods: daily('08:00', '09:00'),
      specialDays: [{ date: '2026-12-31', opens: '20:00', closes: '04:00' }],
    }
    expect(openAt(hours, 'UTC', '2027-01-01T03:59:00Z')).toBe(true)
    expect(openAt(hours, 'UTC', '2026-12-31T08:30:00Z')).toBe(false)
    expect(openAt(hours, 'UTC', '2027-01-01T08:30:00Z')).toBe(true)
  })

  test.each([
    [{ formatted: ['when the flag is up'] }],
    [{ periods: [{ dayOfWeek: 'MONDAY', opens: 'dawn', closes: '18:00' }] }],
    [{ periods: [{ dayOfWeek: 'MONDAY', opens: '25:00', closes: '26:00' }] }],
    [{ specialDays: [{ date: 'Easter' }] }],
  ] as [OpeningHours][])('%j is unknown', hours => expect(encodeHours(hours)).toBeUndefined())
})
