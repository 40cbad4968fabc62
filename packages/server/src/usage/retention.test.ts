import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UsageCursor } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { recordsBetween } from './detail.ts'
import { Journal } from './journal.ts'
import { listJournalSync } from './journal-files.ts'
import { formatCursor, journalStart } from './journal-position.ts'
import { journalIn, readJournal } from './journal-reader.ts'
import { record, someTimeMs } from './records.fixture.ts'
import { applyRetention } from './retention.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-retention-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const dayMs = 86_400_000

/** One call a day for `days`, half of them unbilled, five to a file; returns the end of the journal. */
async function daily(days: number): Promise<UsageCursor> {
  const journal = new Journal(folder, { rotateBytes: 850 })
  for (let i = 0; i < days; i++) await journal.append(record({ timeMs: someTimeMs + i * dayMs, units: i % 2 }))
  await journal.close()
  return formatCursor(journal.end())
}

async function all(): Promise<UsageRecord[]> {
  const records: UsageRecord[] = []
  for await (const batch of readJournal(folder, journalStart)) records.push(...batch.records)
  return records
}

const forms = () => listJournalSync(folder).map(file => file.form)

describe('retention', () => {
  it('compresses folded files, which remain readable', async () => {
    const folded = await daily(40)
    const before = await all()
    const report = await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs })
    expect(report).toMatchObject({ billedOnly: 0, dropped: 0 })
    expect(report.compressed).toBe(forms().length - 1)
    expect(forms().at(-1)).toBe('plain')
    expect(await all()).toEqual(before)
    expect(await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs })).toEqual({
      compressed: 0,
      billedOnly: 0,
      dropped: 0,
    })
  })

  it('does not change files that are not folded', async () => {
    await daily(40)
    const untouched = readdirSync(folder)
    await applyRetention(folder, {
      foldedUpTo: formatCursor(journalStart),
      nowMs: someTimeMs + 1000 * dayMs,
      maxBytes: 1,
    })
    expect(readdirSync(folder)).toEqual(untouched)
  })

  it('drops the detail of calls that are 100 days old', async () => {
    const folded = await daily(300)
    await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs + 300 * dayMs })
    const kept = await all()
    expect(kept[0]!.timeMs).toBeLessThanOrEqual(someTimeMs + 200 * dayMs)
    expect(kept[0]!.timeMs).toBeGreaterThan(someTimeMs + 190 * dayMs)
    expect(kept.at(-1)!.timeMs).toBe(someTimeMs + 299 * dayMs)
  })

  it('above the maximum size, drops unbilled calls first, then the oldest files', async () => {
    const folded = await daily(90)
    await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs })
    const size = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    const full = size()
    await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs, maxBytes: full - 100 })
    expect(forms()[0]).toBe('billedOnly')
    expect(forms()).toContain('compressed')
    expect((await all()).filter(r => r.units === 1)).toHaveLength(45)

    await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs, maxBytes: full / 2 })
    expect(forms()).not.toContain('compressed')
    expect(size()).toBeLessThanOrEqual(full / 2)
    expect((await all()).at(-1)!.timeMs).toBe(someTimeMs + 89 * dayMs)
  })
})

describe('the detail', () => {
  it('contains the calls of a span, regardless of the form of their files', async () => {
    const folded = await daily(60)
    await applyRetention(folder, { foldedUpTo: folded, nowMs: someTimeMs })
    const found: number[] = []
    for await (const r of recordsBetween(journalIn(folder), someTimeMs + 20 * dayMs, someTimeMs + 25 * dayMs))
      found.push(r.timeMs)
    expect(found).toEqual([20, 21, 22, 23, 24].map(day => someTimeMs + day * dayMs))
  })
})
