import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getMonthSpan, startOfDay } from '../kit/time.ts'
import { record } from './records.fixture.ts'
import { buildReport } from './report.ts'
import { getSlotStart } from './slot.ts'
import { toUsageRow } from './sums.ts'

const hourMs = 3_600_000

describe('a slot', () => {
  it.each([
    ['2026-03-15T12:44:59.999Z', '2026-03-15T12:00:00.000Z'],
    ['2026-03-15T10:14:59.999Z', '2026-03-15T10:00:00.000Z'],
    ['2026-03-15T10:44:59.999Z', '2026-03-15T10:15:00.000Z'],
    ['2026-03-15T18:59:59.999Z', '2026-03-15T18:30:00.000Z'],
    ['2026-03-30T23:44:59.999Z', '2026-03-30T23:00:00.000Z'],
    ['2026-03-31T10:44:59.999Z', '2026-03-31T10:30:00.000Z'],
    ['2026-04-01T13:59:59.999Z', '2026-04-01T13:45:00.000Z'],
    ['2026-04-01T14:20:00.000Z', '2026-04-01T14:00:00.000Z'],
  ])('%s belongs to %s', (time, slot) => {
    expect(new Date(getSlotStart(Date.parse(time))).toISOString()).toBe(slot)
  })

  it('never crosses the end of a month in any time zone', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 23 }), fc.nat(), (zone, month, at) => {
        const { toMs } = getMonthSpan(
          `${2025 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
          zone,
        )
        expect(getSlotStart(toMs)).toBe(toMs)
        const timeMs = toMs - 1 - (at % hourMs)
        expect(getSlotStart(timeMs)).toBeLessThanOrEqual(timeMs)
      }),
      { numRuns: 300 },
    )
  })

  it('never crosses the end of a day in any time zone, 2024 to 2040', () => {
    for (const zone of Intl.supportedValuesOf('timeZone'))
      for (const date of ['2024-01-15', '2026-07-15', '2031-10-20', '2040-12-31']) {
        const startMs = startOfDay(date, zone)
        expect([zone, getSlotStart(startMs)]).toEqual([zone, startMs])
      }
  })
})

describe('a report', () => {
  const rows = [
    toUsageRow(record({ units: 3, operation: 'getLocations' })),
    toUsageRow(record({ units: 2, operation: 'getLocation', billable: false })),
    toUsageRow(record({ units: 4, operation: 'getLocations', keyId: 'k2', status: 304 })),
  ]

  it('sums by the requested dimensions, in their order', () => {
    expect(buildReport(rows, ['operation'])).toEqual({
      calls: 3,
      units: 9,
      billableUnits: 7,
      rows: [
        { operation: 'getLocation', calls: 1, units: 2, billableUnits: 0 },
        { operation: 'getLocations', calls: 2, units: 7, billableUnits: 7 },
      ],
    })
    expect(buildReport(rows, ['key', 'status', 'partner', 'version', 'day']).rows).toEqual([
      {
        key: 'k1',
        status: 200,
        partner: 'acme',
        version: '1',
        day: '2026-03-04',
        calls: 2,
        units: 5,
        billableUnits: 3,
      },
      {
        key: 'k2',
        status: 304,
        partner: 'acme',
        version: '1',
        day: '2026-03-04',
        calls: 1,
        units: 4,
        billableUnits: 4,
      },
    ])
  })
})
