/** The ledger of random journals compared with a model: every call counts once, in whatever form and file it is. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openEnd } from '../domain/ledger.ts'
import { limitBuckets } from '../domain/limit-bucket.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { openEngine } from '../store/engine.ts'
import { encodeBatches } from './batch-writer.ts'
import { checkLedger } from './check-ledger.ts'
import { foldJournal } from './fold.ts'
import { journalPath } from './journal-files.ts'
import { journalIn } from './journal-reader.ts'
import { readLedgerCheckInput } from './read-ledger-check.ts'
import { encodeRecord } from './record.ts'
import { record, someTimeMs } from './records.fixture.ts'
import { toRowKey, toUsageRow } from './sums.ts'

/** Times around which calls arrive: within an hour, at a divided hour (Nepal), and at the end of a month. */
const times = [someTimeMs, Date.UTC(2026, 2, 4, 18, 15), Date.UTC(2026, 3, 1)]
const windows = [someTimeMs - 5000, someTimeMs]

const anyCall: fc.Arbitrary<UsageRecord> = fc
  .record({
    requestId: fc.noShrink(fc.noBias(fc.uuid({ version: 7 }))),
    timeMs: fc
      .tuple(fc.constantFrom(...times), fc.integer({ min: -40_000, max: 70_000 }))
      .map(([time, ms]) => time + ms),
    shiftMs: fc.constantFrom(0, -5000),
    keyId: fc.constantFrom('k1', 'k2', '__proto__'),
    subject: fc.constantFrom('k1', 'partner/ü'),
    operation: fc.constantFrom('getLocation', 'getLocations'),
    units: fc.constantFrom(0, 1, 100, 65_536, 2 ** 40),
    billable: fc.boolean(),
    status: fc.constantFrom(200, 304, 429),
    refusedBy: fc.constantFrom([], [], ['rate']),
    durationUs: fc.constantFrom(0, 431, 2 ** 32 - 1, 2 ** 33),
    marks: fc
      .tuple(fc.constantFrom(...windows), fc.nat(1e6), fc.integer({ min: 0, max: 2 }))
      .map(([windowStartMs, us, count]) =>
        limitBuckets.slice(0, count).map(bucket => ({ bucket, windowStartMs, tatUs: someTimeMs * 1000 + us })),
      ),
  })
  .map(record)

/** A part of the journal: calls, the form of their batch, damage before it, and what follows. */
const part = fc.record({
  calls: fc.array(anyCall, { maxLength: 12 }),
  isOld: fc.boolean(),
  /** Number of an earlier part that is repeated here. */
  repeats: fc.option(fc.nat(20)),
  garbage: fc.constantFrom('', '', '@', '@00000005 ', 'x\n@0000'),
  next: fc.constantFrom('batch', 'fold', 'file'),
})

/** Returns a batch as earlier releases wrote it. */
function encodeLines(records: readonly UsageRecord[]): Buffer {
  const lines = Buffer.from(records.map(one => `${encodeRecord(one)}\n`).join(''))
  const hex = (value: number) => value.toString(16).padStart(8, '0')
  return Buffer.concat([Buffer.from(`@${hex(lines.length)} ${hex(crc32(lines))}\n`), lines])
}

/** Returns the roll-up rows and the units in the latest window of each subject, as texts. */
function model(records: readonly UsageRecord[]) {
  const [rows, used] = [new Map<string, [number, number]>(), new Map<string, [number, number]>()]
  for (const one of records) {
    const key = toRowKey(toUsageRow(one))
    const [calls, units] = rows.get(key) ?? [0, 0]
    rows.set(key, [calls + 1, units + one.units])
    for (const { bucket, windowStartMs } of one.marks) {
      const subject = `${bucket} ${one.subject}`
      const [startMs, before] = used.get(subject) ?? [0, 0]
      if (windowStartMs >= startMs)
        used.set(subject, [windowStartMs, (windowStartMs === startMs ? before : 0) + one.units])
    }
  }
  return { rows: [...rows].sort(), used: [...used].sort() }
}

it('has the calls of the journal once, in both forms, over several files, folds, repeats and damage', async () => {
  const run = async (parts: readonly (typeof part extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'periplus-model-'))
    const engine = openEngine({ kind: 'sqlite', folder }, { create: true })
    const journal = join(folder, 'journal')
    mkdirSync(journal, { recursive: true })
    try {
      let [file, contents] = [1, Buffer.alloc(0)]
      const written: UsageRecord[][] = []
      for (const { calls, isOld, repeats, garbage, next } of parts) {
        const batch = (repeats !== null && written[repeats]) || calls
        written.push(batch)
        const encoded = isOld && batch.length > 0 ? encodeLines(batch) : encodeBatches(batch)
        contents = Buffer.concat([contents, Buffer.from(garbage && `${garbage}\n`), encoded])
        // The service may be killed in the middle of the next batch.
        writeFileSync(journalPath(journal, file), Buffer.concat([contents, encoded.subarray(0, encoded.length - 1)]))
        if (next !== 'batch') await foldJournal(journalIn(journal), engine.ledger, { recordsPerCommit: 5 })
        writeFileSync(journalPath(journal, file), contents)
        if (next === 'file') [file, contents] = [file + 1, Buffer.alloc(0)]
      }
      await foldJournal(journalIn(journal), engine.ledger)
      const counted = [...new Map(written.flat().map(one => [one.requestId, one])).values()]
      const { states } = await engine.ledger.readAll()
      const rows = await engine.ledger.slots({ fromMs: 0, toMs: openEnd })
      const found = {
        rows: rows.map(row => [toRowKey(row), [row.calls, row.units]]).sort(),
        used: states.map(one => [`${one.bucket} ${one.subject}`, [one.windowStartMs, one.used]]).sort(),
      }
      expect(found).toEqual(model(counted))
      const problems = checkLedger(await readLedgerCheckInput(journalIn(journal), engine.ledger))
      expect(problems.filter(({ problem }) => !/repeats|twice|damaged/.test(problem))).toEqual([])
    } finally {
      await engine.close()
      rmSync(folder, { recursive: true })
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 8 }), run), { numRuns: 25 })
})
