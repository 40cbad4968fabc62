/** Tests of sums by the database: to the unit like sums over the single calls, in any time zone. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEnd, type UsageQuery } from '../domain/ledger.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { type UsageDimension, usageDimensions } from '../domain/usage-report.ts'
import { getMonthSpan, startOfDay, toLocalDate } from '../kit/time.ts'
import { openEngine } from '../store/engine.ts'
import { foldJournal } from './fold.ts'
import { Journal } from './journal.ts'
import { journalIn } from './journal-reader.ts'
import { sumUsage } from './query.ts'
import { record } from './records.fixture.ts'
import { findRelyingKeys } from './relying-keys.ts'
import { sumStatement } from './statement.ts'

/** Zones with days of 23, 24.5 and 25 hours in the period, far offsets, and offsets of half and quarter hours. */
const zones = [
  ...['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Tokyo', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Kiritimati'],
  ...['Pacific/Chatham', 'Australia/Lord_Howe', 'Australia/Eucla', 'America/St_Johns', 'Pacific/Marquesas', '-12:00'],
  ...['Pacific/Pago_Pago', 'America/Santiago', 'Africa/Cairo'],
]
/** A period with changes of time in both hemispheres. */
const [firstDate, days] = ['2026-09-20', 50]
const dateAt = (day: number) => Temporal.PlainDate.from(firstDate).add({ days: day }).toString()
const dayMs = 86_400_000

const zone = fc.constantFrom(...zones)
/** A moment at or near the start of a day in some zone, or any other. */
const moment = fc.oneof(
  fc
    .tuple(zone, fc.nat(days), fc.constantFrom(0, -1, 1, 900_000))
    .map(([tz, day, ms]) => startOfDay(dateAt(day), tz) + ms),
  fc.nat(days * dayMs).map(ms => startOfDay(firstDate, 'UTC') + ms),
)
const call = fc
  .record({
    timeMs: moment,
    keyId: fc.constantFrom('k1', 'k2', 'k3'),
    operation: fc.constantFrom('getLocation', 'getLocations'),
    version: fc.constantFrom('1', '2'),
    versionExplicit: fc.boolean(),
    status: fc.constantFrom(200, 429),
    units: fc.nat(9),
  })
  .map(one =>
    record({
      ...one,
      units: one.status === 200 ? one.units : 0,
      partnerId: one.keyId === 'k3' ? 'other' : 'acme',
      billable: one.keyId !== 'k2',
    }),
  )

const columns: Record<UsageDimension, (one: UsageRecord, tz: string) => string | number> = {
  operation: one => one.operation,
  day: (one, tz) => toLocalDate(one.timeMs, tz),
  version: one => one.version,
  status: one => one.status,
  partner: one => one.partnerId,
  key: one => one.keyId,
}

/** Sums calls one at a time. */
function sumCalls(calls: readonly UsageRecord[], by: readonly UsageDimension[], tz: string) {
  const sums = new Map<string, { calls: number; units: number; billableUnits: number }>()
  for (const one of calls) {
    const id = JSON.stringify(by.map(name => columns[name](one, tz)))
    const sum = sums.get(id) ?? { calls: 0, units: 0, billableUnits: 0 }
    const billableUnits = sum.billableUnits + (one.billable ? one.units : 0)
    sums.set(id, { calls: sum.calls + 1, units: sum.units + one.units, billableUnits })
  }
  return Object.fromEntries(sums)
}

let folder: string
let engine: Engine
let calls: readonly UsageRecord[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-sums-'))
  engine = openEngine({ kind: 'sqlite', folder }, { create: true })
  const made = fc.sample(call, { numRuns: 3000, seed: 7 })
  calls = made.toSorted((a, b) => a.timeMs - b.timeMs)
  const write = async (some: readonly UsageRecord[]) => {
    const journal = new Journal(folder, { rotateBytes: 100_000 })
    for (let i = 0; i < some.length; i += 100) await Promise.all(some.slice(i, i + 100).map(one => journal.append(one)))
    await journal.close()
  }
  await write(calls.slice(0, 2900))
  await foldJournal(journalIn(folder), engine.ledger)
  await write(calls.slice(2900))
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

describe('sums of a span', () => {
  it('equal the sums of the single calls in every zone, for every filter and dimension', async () => {
    const dimensions = fc.subarray([...usageDimensions])
    const filter = fc.constantFrom<Partial<UsageQuery>>(
      ...[
        {},
        { keyId: 'k1' },
        { partnerId: 'acme' },
        { partnerId: 'acme', keyId: 'k3' },
        { only: 'billable' as const },
      ],
      { only: 'defaultVersion', keyId: 'k2' },
    )
    const span = fc.oneof(
      fc.constant([0, openEnd] as const),
      fc.tuple(moment, moment).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
    )
    await fc.assert(
      fc.asyncProperty(span, zone, dimensions, filter, async ([fromMs, toMs], timeZone, by, restriction) => {
        const { keyId, partnerId, only } = restriction
        const expected = calls.filter(
          one =>
            one.timeMs >= fromMs &&
            one.timeMs < toMs &&
            (keyId === undefined || one.keyId === keyId) &&
            (partnerId === undefined || one.partnerId === partnerId) &&
            (only !== 'billable' || one.billable) &&
            (only !== 'defaultVersion' || !one.versionExplicit),
        )
        const { rows, ...total } = await sumUsage(
          journalIn(folder),
          engine.ledger,
          { fromMs, toMs, ...restriction },
          { by, timeZone },
        )
        const found = rows.map(({ calls: n, units, billableUnits, ...row }) => [
          JSON.stringify(by.map(name => row[name])),
          { calls: n, units, billableUnits },
        ])
        expect(Object.fromEntries(found)).toEqual(sumCalls(expected, by, timeZone))
        expect(total).toEqual(sumCalls(expected, [], timeZone)['[]'] ?? { calls: 0, units: 0, billableUnits: 0 })
      }),
      { numRuns: 80 },
    )
  })

  it('equal the statement of each month', async () => {
    for (const timeZone of zones)
      for (const month of ['2026-09', '2026-10', '2026-11']) {
        const { fromMs, toMs } = getMonthSpan(month, timeZone)
        const billed = calls.filter(
          one =>
            one.timeMs >= fromMs && one.timeMs < toMs && one.partnerId === 'acme' && one.billable && one.status < 300,
        )
        const period = { partnerId: 'acme', month, timeZone }
        const statement = await sumStatement(journalIn(folder), engine.ledger, period, { nowMs: toMs })
        const sums = sumCalls(billed, ['key', 'operation'], timeZone)
        expect(
          Object.fromEntries(statement.lines.map(line => [`["${line.key}","${line.operation}"]`, line])),
        ).toMatchObject(
          Object.fromEntries(Object.entries(sums).map(([id, { calls: n, units }]) => [id, { calls: n, units }])),
        )
        expect(statement).toMatchObject({ closed: true, units: billed.reduce((sum, { units }) => sum + units, 0) })
        // The month has not ended, or a node has not counted all its calls.
        for (const options of [{ nowMs: toMs - 1 }, { nowMs: toMs, countedToMs: toMs }])
          expect((await sumStatement(journalIn(folder), engine.ledger, period, options)).closed).toBe(false)
      }
  })

  it('find the keys that rely on the default version', async () => {
    const found = await findRelyingKeys(journalIn(folder), engine.ledger, 0)
    const expected = sumCalls(
      calls.filter(one => !one.versionExplicit),
      ['key', 'version'],
      'UTC',
    )
    expect(Object.fromEntries(found.map(one => [`["${one.keyId}","${one.version}"]`, one.calls]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([id, sum]) => [id, sum.calls])),
    )
    expect(found.map(one => one.calls)).toEqual(found.map(one => one.calls).toSorted((a, b) => b - a))
  })
})
