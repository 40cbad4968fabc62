import { expect, test } from 'vitest'
import type { ExportedUsage } from '../../../src/domain/exported-usage.ts'
import type { UsageCursor, UsageRow } from '../../../src/domain/ledger.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { createUsageRow } from '../../../src/domain/usage-row.fixture.ts'
import { describeEngines, openAgain } from './engines.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const day = 100 * dayMs

const row = (fromMs: number, units: number, more: Partial<UsageRow> = {}) => createUsageRow(fromMs, { units, ...more })

async function fold({ ledger }: Engine, to: string, rows: readonly UsageRow[]): Promise<void> {
  const piece = {
    from: await ledger.position(),
    to: to as UsageCursor,
    files: [],
    rows,
    states: [],
    uses: [],
    last: undefined,
  }
  expect(await ledger.commit(piece)).toEqual({ late: 0 })
}

const brief = (parts: readonly ExportedUsage[]) => parts.map(({ fromMs, part, units }) => [fromMs - day, part, units])

describeEngines('exported usage', ({ open }) => {
  test('has each billable unit of a span once, however calls arrive', async () => {
    const engine = await open()
    const { usageExports } = engine
    const rows = Array.from({ length: 120 }, (_, i) =>
      row(day + ((i * 7) % 60) * hourMs, i % 5, {
        keyId: `k${i % 3}`,
        operation: i % 2 ? 'getLocation' : 'getLocations',
        billable: i % 4 > 0,
        status: i % 5 === 0 ? 404 : 200,
      }),
    )
    const span = { fromMs: day + 2 * hourMs, toMs: day + 50 * hourMs }
    for (let i = 0; i < 12; i++) {
      await fold(engine, `${i}`, rows.slice(i * 10, i * 10 + 10))
      await usageExports.collect({ ...span, toMs: Math.min(span.toMs, day + i * 6 * hourMs) })
    }
    const parts = await usageExports.unsent(1000)
    const inSpan = rows.filter(one => one.billable && one.fromMs >= span.fromMs && one.fromMs < span.toMs)
    const sum = (some: readonly { units: number; calls: number }[], of: 'units' | 'calls') =>
      some.reduce((total, one) => total + one[of], 0)
    expect(sum(parts, 'units')).toBe(sum(inSpan, 'units'))
    expect(parts.every(({ units }) => units > 0)).toBe(true)
    const ids = parts.map(one => `${one.fromMs} ${one.keyId} ${one.operation} ${one.part}`)
    expect(new Set(ids).size).toBe(ids.length)
    await usageExports.collect(span)
    expect(await usageExports.unsent(1000)).toEqual(parts)
  })

  test('is sent once, oldest first, and again on request', async () => {
    const engine = await open()
    const { usageExports } = engine
    await fold(engine, 'a', [row(day + hourMs, 3), row(day, 2), row(day + dayMs, 5)])
    await usageExports.collect({ fromMs: 0, toMs: day + 2 * dayMs })
    const [first, second] = await usageExports.unsent(2)
    expect(brief([first!, second!])).toEqual([
      [0, 1, 2],
      [hourMs, 1, 3],
    ])
    await usageExports.markSent([first!, second!])
    expect(brief(await openAgain(engine).usageExports.unsent(9))).toEqual([[dayMs, 1, 5]])
    await fold(engine, 'b', [row(day, 4)])
    await usageExports.collect({ fromMs: 0, toMs: day + 2 * dayMs })
    expect(brief(await usageExports.unsent(9))).toEqual([
      [0, 2, 4],
      [dayMs, 1, 5],
    ])
    expect(await usageExports.resend(day + hourMs)).toBe(1)
    expect((await usageExports.unsent(9)).length).toBe(3)
  })
})
