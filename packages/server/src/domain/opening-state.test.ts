import { describe, expect, test } from 'vitest'
import { daysOfWeek, type OpeningHours } from './opening-hours.ts'
import { openingStateOf } from './opening-state.ts'

const daily = (opens: string, closes: string) => daysOfWeek.map(dayOfWeek => ({ dayOfWeek, opens, closes }))
const stateAt = (hours: OpeningHours, moment: string, zone: string | undefined = 'Europe/Madrid') =>
  openingStateOf(hours, zone, () => 'Asia/Tokyo', Date.parse(moment))
const at = (inDays: number, minute: number) => expect.objectContaining({ inDays, minute })

describe('opening state (R-35)', () => {
  // 2026-11-16 is a Monday; Madrid is at UTC+1 in November.
  const hours: OpeningHours = {
    periods: [
      { dayOfWeek: 'MONDAY', opens: '09:00', closes: '12:00' },
      { dayOfWeek: 'MONDAY', opens: '14:00', closes: '18:00' },
      { dayOfWeek: 'FRIDAY', opens: '22:00', closes: '02:00' },
    ],
    specialDays: [{ date: '2026-11-23' }],
  }
  test.each([
    ['open', '2026-11-16T08:00:00Z', { isOpen: true, closes: at(0, 720) }],
    ['at lunch', '2026-11-16T11:00:00Z', { isOpen: false, opens: at(0, 840) }],
    ['after work', '2026-11-16T17:00:00Z', { isOpen: false, opens: at(4, 1320) }],
    ['until after midnight', '2026-11-20T22:30:00Z', { isOpen: true, closes: at(1, 120) }],
    ['after midnight', '2026-11-21T00:30:00Z', { isOpen: true, closes: at(0, 120) }],
    ['before a day that is closed', '2026-11-21T09:00:00Z', { isOpen: false, opens: at(6, 1320) }],
  ])('%s', (_, moment, state) => expect(stateAt(hours, moment)).toEqual(state))

  test('a place that never closes has no end', () => {
    expect(stateAt({ periods: daily('00:00', '24:00') }, '2026-11-16T08:00:00Z')).toEqual({ isOpen: true })
    expect(stateAt({ periods: daily('00:00', '00:00') }, '2026-11-16T08:00:00Z')).toEqual({ isOpen: true })
  })

  test('a place with past special days alone does not open again', () =>
    expect(stateAt({ specialDays: [{ date: '2020-01-01' }] }, '2026-11-16T08:00:00Z')).toEqual({ isOpen: false }))

  test('without a zone that exists, the position decides', () => {
    for (const zone of [undefined, 'Mars/Olympus'])
      expect(openingStateOf({ periods: daily('09:00', '10:00') }, zone, () => 'Asia/Tokyo', 0)).toEqual({
        isOpen: true,
        closes: at(0, 600),
      })
  })

  test('hours that cannot be read are unknown', () => {
    expect(stateAt({ formatted: ['when the flag is up'] }, '2026-11-16T08:00:00Z')).toBeUndefined()
    expect(openingStateOf(undefined, 'UTC', () => 'UTC', 0)).toBeUndefined()
  })
})
