import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  daysSinceEpoch,
  getMonthSpan,
  isCalendarDate,
  isTimeZone,
  normalizeTimeZone,
  parseInstant,
  startOfDay,
  toLocalDate,
  toWallClock,
} from './time.ts'

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())

describe('a calendar date', () => {
  it.each(['2026-01-31', '2024-02-29', '0001-01-01', '9999-12-31'])('%s exists', date =>
    expect(isCalendarDate(date)).toBe(true),
  )
  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-01',
    '2026-1-1',
    '2026-01-31T00:00',
    '',
    '-002026-01-01',
  ])('%j does not', date => expect(isCalendarDate(date)).toBe(false))
  it('converts to days since 1970', () => {
    expect(['1970-01-01', '1969-12-31', '2026-01-31', '2026-02-30'].map(daysSinceEpoch)).toEqual([
      0,
      -1,
      20_484,
      undefined,
    ])
  })
})

describe('parseInstant', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.1239+02:00', '2026-01-31T10:00:00.123Z'],
    ['2026-01-31 12:00:00+02', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31 12:00:00 -0530', '2026-01-31T17:30:00.000Z'],
    ['2026-12-31T24:00:00Z', '2027-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => expect(iso(parseInstant(text))).toBe(expected))

  it.each([
    '2026-02-30',
    '2026-02-30T12:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T24:01:00Z',
    '2026-01-31T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00[Europe/Madrid]',
    '2026-01-31T',
    '20260131',
    'yesterday',
    '',
  ])('refuses %j', text => expect(parseInstant(text)).toBeUndefined())

  it('agrees with Date.parse on every time that both can parse', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), date => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime())
      }),
    )
  })
})

describe('a time zone', () => {
  it.each([
    ['Europe/Madrid', 'Europe/Madrid'],
    ['europe/madrid', 'Europe/Madrid'],
    ['UTC', 'UTC'],
    ['+05:30', '+05:30'],
    ['Europe/Atlantis', undefined],
    ['', undefined],
    ['2026-01-01T00:00[Europe/Madrid]', undefined],
  ])('%j is %j', (zone, id) => {
    expect(normalizeTimeZone(zone)).toBe(id)
    expect(isTimeZone(zone)).toBe(id !== undefined)
  })

  it('determines the calendar date', () => {
    const timeMs = Date.parse('2026-03-31T22:30:00Z')
    expect([toLocalDate(timeMs, 'UTC'), toLocalDate(timeMs, 'Europe/Madrid')]).toEqual(['2026-03-31', '2026-04-01'])
    expect(() => toLocalDate(timeMs, 'Europe/Atlantis')).toThrow(RangeError)
  })

  it.each([
    ['2026-03-29', 'Europe/Madrid', '2026-03-28T23:00:00.000Z'],
    // Clocks jump from 00:00 to 01:00.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])('%s begins in %s at %s', (date, zone, expected) => expect(iso(startOfDay(date, zone))).toBe(expected))

  it('determines the wall clock', () => {
    expect(toWallClock(Date.UTC(2026, 0, 1), 'Asia/Kathmandu')).toEqual({ day: 20_454, minute: 345 })
    expect(toWallClock(Date.UTC(2026, 6, 1, 3, 59, 59, 999), 'America/New_York')).toEqual({ day: 20_634, minute: 1439 })
    expect(toWallClock(-1, 'America/New_York')).toEqual({ day: -1, minute: 1139 })
    expect(toWallClock(0, 'Mars/Olympus')).toBeUndefined()
  })
})

describe('a month', () => {
  it.each([
    ['2026-11', 'UTC', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-10', 'Europe/Madrid', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['2026-11', 'Asia/Kathmandu', '2026-10-31T18:15:00.000Z', '2026-11-30T18:15:00.000Z'],
    ['2026-12', 'Pacific/Kiritimati', '2026-11-30T10:00:00.000Z', '2026-12-31T10:00:00.000Z'],
  ])('%s in %s', (month, zone, from, to) => {
    const { fromMs, toMs } = getMonthSpan(month, zone)
    expect([iso(fromMs), iso(toMs)]).toEqual([from, to])
  })
})
