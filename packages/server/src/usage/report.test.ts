import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getMonthSpan } from '../kit/time.ts'
import { record } from './records.fixture.ts'
import { buildReport } from './report.ts'
import { getSlotStart } from './slot.ts'
import { buildStatement } from './statement.ts'
import { toUsageRow } from './sums.ts'

const hourMs = 3_600_000

describe('a slot', () => {
  it.each([
    ['2026-03-15T10:44:59.999Z', '2026-03-15T10:00:00.000Z'],
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

describe('a statement', () => {
  const at = (time: string, units: number, of = {}) => toUsageRow(record({ timeMs: Date.parse(time), units, ...of }))
  const rows = [
    at('2026-02-28T22:59:59.999Z', 1000),
    at('2026-02-28T23:00:00.000Z', 3),
    at('2026-03-31T21:59:59.999Z', 4, { keyId: 'k2' }),
    at('2026-03-31T22:00:00.000Z', 1000),
    at('2026-03-10T00:00:00.000Z', 1000, { billable: false }),
    at('2026-03-10T00:00:00.000Z', 0, { status: 429 }),
    at('2026-03-10T00:00:00.000Z', 1000, { partnerId: 'other' }),
  ]
  const asked = { partnerId: 'acme', month: '2026-03', timeZone: 'Europe/Madrid' }

  it('contains the billable units of a local month, exact to the millisecond', () => {
    const bill = buildStatement(rows, asked, Date.parse('2026-04-01T00:00:00Z'))
    expect(bill).toMatchObject({ calls: 2, units: 7, closed: true })
    expect(bill.lines.map(line => [line.key, line.units])).toEqual([
      ['k1', 3],
      ['k2', 4],
    ])
    expect(buildStatement(rows, asked, Date.parse('2026-03-31T21:00:00Z')).closed).toBe(false)
  })
})
