/** Damage to the files of the journal, while it is open and between two processes. */

import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ledger, openEnd } from '../domain/ledger.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { openEngine } from '../store/engine.ts'
import { checkLedger } from './check-ledger.ts'
import { foldJournal, JournalFold } from './fold.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { journalPath, listJournalSync } from './journal-files.ts'
import { JournalHealth } from './journal-health.ts'
import { formatCursor } from './journal-position.ts'
import { journalIn } from './journal-reader.ts'
import type { Restoration } from './open-file.ts'
import { sumUsage } from './query.ts'
import { readLedgerCheckInput } from './read-ledger-check.ts'
import { encodeRecord } from './record.ts'
import { record, someTimeMs } from './records.fixture.ts'
import { buildReport } from './report.ts'
import { applyRetention } from './retention.ts'

let root: string
let folder: string
let engine: Engine
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'periplus-damage-'))
  folder = join(root, 'journal')
  engine = openEngine({ kind: 'sqlite', folder: root }, { create: true })
  ledger = engine.ledger
})
afterEach(async () => {
  await engine.close()
  rmSync(root, { recursive: true })
})

const always = { fromMs: 0, toMs: openEnd }
const countCalls = async () => buildReport(await ledger.slots(always), []).calls
const problems = async () =>
  checkLedger(await readLedgerCheckInput(journalIn(folder), ledger)).map(({ problem }) => problem)
let minutes = 0
/** A record of a minute of its own, so that the files of the journal have different times. */
const nextRecord = () => record({ timeMs: someTimeMs + ++minutes * 60_000 })

/** A journal that is written and folded as in a service. */
class Writing {
  readonly restored: Restoration[] = []
  readonly fold = new JournalFold(journalIn(folder), ledger, 2)
  readonly journal: Journal
  file = 0
  acknowledged = 0
  lostBytes = 0

  constructor(known: JournalOptions['known'], options: Partial<JournalOptions> = {}) {
    this.journal = new Journal(folder, {
      ...(known && { known }),
      checkEveryMs: 0,
      onFile: number => {
        this.file = number
      },
      onRestored: restoration => this.restored.push(restoration),
      ...options,
    })
  }

  async write(calls: number): Promise<void> {
    for (let i = 0; i < calls; i++) if ((await this.journal.append(nextRecord())) === 'written') this.acknowledged++
  }

  /** Folds as the ledger thread does; `isReported` is false if the report is lost. */
  async foldRound(isReported = true) {
    const file = this.file
    const { files, losses, damages } = await this.fold.run()
    if (isReported) this.lostBytes += damages.reduce((sum, damage) => sum + this.journal.rewrite(damage), 0)
    const reserved = [...files.keys()].filter(number => number > file)
    if (isReported) this.journal.setFolded({ file, offset: files.get(file)?.bytes ?? 0 }, reserved)
    return losses
  }
}

const start = async (options?: Partial<JournalOptions>) => new Writing(await ledger.files(), options)

/** Actions on the file that is being written, by what happens to it. */
const displacements: Record<string, (path: string) => void> = {
  'the file is removed': path => rmSync(path),
  'the file is renamed': path => renameSync(path, `${path}.old`),
  'the file is replaced by a copy': path => {
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
  },
  'the file is replaced by another one': path => {
    writeFileSync(`${path}.new`, 'not a journal file')
    renameSync(`${path}.new`, path)
  },
  'the file is replaced by a folder': path => {
    rmSync(path)
    mkdirSync(path)
  },
  'the file is shortened to nothing': path => truncateSync(path, 0),
  'the file is shortened': path => truncateSync(path, Math.floor(statSync(path).size / 3)),
  'the folder is removed': () => rmSync(folder, { recursive: true }),
  'the folder is renamed': () => renameSync(folder, `${folder}-${Math.random()}`),
  'the folder is emptied': () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  },
}

describe('while the journal is written', () => {
  it.each(Object.entries(displacements))('%s: no acknowledged call is lost or counted twice', async (_, displace) => {
    const service = await start()
    await service.write(20)
    await service.foldRound()
    // The ledger has these, but the journal does not know that.
    await service.write(20)
    await service.foldRound(false)
    await service.write(20)
    displace(journalPath(folder, service.file))
    const before = service.file
    await service.write(1)
    expect(service.restored).toMatchObject([{ file: before, lostBytes: 0 }])
    expect(service.file).toBe(before + 1)
    await service.write(19)
    expect(await service.foldRound()).toEqual([])
    expect(await service.foldRound()).toEqual([])
    await service.journal.close()
    expect(service.acknowledged).toBe(80)
    expect(await countCalls()).toBe(80)
    // What the ledger had already is not in memory; the zeros in its place are the only trace.
    const isDamage = (problem: string) => !/^\d+ bytes of file \d+ of the journal are damaged/.test(problem)
    const isShortened = _.includes('shortened')
    if (!isShortened) expect(await problems()).toEqual([])
    else
      expect((await problems()).filter(isDamage)).toEqual(
        expect.not.arrayContaining([expect.stringContaining('twice')]),
      )
    expect(JSON.stringify(await problems())).not.toContain('roll-up by day')
  })

  it('notices it without a call, when the ledger thread reports', async () => {
    const service = await start()
    await service.write(5)
    await service.foldRound()
    rmSync(journalPath(folder, 1))
    await service.foldRound()
    expect(service.restored).toMatchObject([{ file: 1, displacement: 'removed', lostBytes: 0 }])
    expect(listJournalSync(folder).map(({ number }) => number)).toEqual([1, 2])
    await service.journal.close()
  })

  it('restores complete files that are not folded yet', async () => {
    const service = await start({ rotateBytes: 2000 })
    await service.write(100)
    expect(service.file).toBeGreaterThan(5)
    const { file } = service
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    await service.write(1)
    expect(service.restored.map(restored => restored.file)).toEqual(Array.from({ length: file }, (_, i) => i + 1))
    await service.foldRound()
    expect(await countCalls()).toBe(101)
    await service.journal.close()
  })

  it('writes calls again whose bytes are damaged before they are folded, also between two checks', async () => {
    const service = await start({ checkEveryMs: 1_000_000 })
    await service.write(10)
    await service.foldRound()
    await service.write(10)
    truncateSync(journalPath(folder, 1), 0)
    await service.write(10)
    const bytes = readFileSync(journalPath(folder, 1))
    writeFileSync(journalPath(folder, 1), bytes.fill(7, bytes.length - 300, bytes.length - 290))
    await service.write(1)
    await service.foldRound()
    await service.foldRound()
    expect(service.lostBytes).toBe(0)
    expect([service.acknowledged, await countCalls()]).toEqual([31, 31])
    await service.journal.close()
  })

  it('creates the folder again before the files', async () => {
    const made: string[] = []
    const service = await start({
      createFolder: () => {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, '.folder'), 'id\n')
        made.push(folder)
      },
    })
    await service.write(3)
    rmSync(folder, { recursive: true })
    await service.write(1)
    expect(made).toEqual([folder])
    expect(readdirSync(folder).sort()).toEqual(['.folder', '00000001.log', '00000002.log'])
    await service.journal.close()
  })

  it('acknowledges nothing until the contents are written again', async () => {
    const service = await start({ probeEveryMs: 5 })
    await service.write(10)
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'not a folder')
    await service.write(1)
    expect(service.acknowledged).toBe(10)
    expect(service.journal.failure()?.code).toMatch(/ENOTDIR|EEXIST/)
    rmSync(folder)
    await expect.poll(() => service.journal.failure()).toBeUndefined()
    await service.write(10)
    await service.foldRound()
    expect([service.acknowledged, await countCalls()]).toEqual([20, 20])
    await service.journal.close()
  })

  it('counts each acknowledged call once, whatever happens to the files', async () => {
    const steps = fc.oneof(
      { weight: 4, arbitrary: fc.record({ write: fc.integer({ min: 1, max: 8 }) }) },
      { weight: 2, arbitrary: fc.record({ fold: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ displace: fc.constantFrom(...Object.keys(displacements)) }) },
      { weight: 1, arbitrary: fc.constant({ restart: true }) },
    )
    const run = async (actions: readonly object[]) => {
      const before = await countCalls()
      let acknowledged = 0
      let service = await start({ rotateBytes: 1500 })
      for (const action of actions as { write?: number; fold?: boolean; displace?: string; restart?: true }[]) {
        if (action.write) await service.write(action.write)
        if (action.fold !== undefined) await service.foldRound(action.fold)
        if (action.displace) {
          displacements[action.displace]!(journalPath(folder, service.file))
          // A write or a report notices it; without either, a second change could hide the first.
          await service.write(1)
        }
        if (action.restart) {
          await service.journal.close()
          acknowledged += service.acknowledged
          await foldJournal(journalIn(folder), ledger)
          service = await start({ rotateBytes: 1500 })
        }
      }
      await service.journal.close()
      await foldJournal(journalIn(folder), ledger)
      expect((await countCalls()) - before).toBe(acknowledged + service.acknowledged)
    }
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), run), {
      numRuns: 12,
      seed: 20_261_122,
    })
  })
})

/** Writes calls as one process does, and folds them if `isFolded`. */
async function serve(calls: number, isFolded: boolean, options?: Partial<JournalOptions>) {
  const losses = (await foldJournal(journalIn(folder), ledger)).losses
  const service = await start(options)
  await service.write(calls)
  await service.journal.close()
  if (isFolded) await foldJournal(journalIn(folder), ledger)
  return { losses, file: service.file }
}

describe('between two processes', () => {
  it('a removed file is reported once with what is known, and counting continues after it', async () => {
    const { file } = await serve(500, true)
    rmSync(journalPath(folder, file))
    const next = await serve(500, true)
    expect(next.losses).toMatchObject([{ known: { file, calls: 500 }, bytes: undefined }])
    expect(next.file).toBe(file + 1)
    expect(await countCalls()).toBe(1000)
    expect((await serve(1, true)).losses).toEqual([])
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^File 1 of the journal is missing\. The ledger has read \d+ bytes of it and counted 500 calls, the last at 20.*Z\. They stay billed; later calls in it are lost\.$/,
      ),
    ])
  })

  it('the whole folder is removed', async () => {
    await serve(30, true, { rotateBytes: 2000 })
    const last = listJournalSync(folder).at(-1)!.number
    rmSync(folder, { recursive: true })
    const next = await serve(10, true)
    expect(next.losses.map(({ known }) => known.file)).toEqual(Array.from({ length: last }, (_, i) => i + 1))
    expect(next.file).toBe(last + 1)
    expect(await countCalls()).toBe(40)
  })

  it('a shortened file is reported, and not continued', async () => {
    const { file } = await serve(50, true)
    truncateSync(journalPath(folder, file), 700)
    const next = await serve(50, true)
    expect(next.losses).toMatchObject([{ known: { file, calls: 50 }, bytes: 700 }])
    expect(next.file).toBe(file + 1)
    expect(await countCalls()).toBe(100)
    expect(await problems()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^File 1 of the journal has 700 bytes, but the ledger has read \d+\./),
      ]),
    )
  })

  it('a file that was not folded is reported by its number', async () => {
    await serve(20, true)
    const { file } = await serve(60, false, { rotateBytes: 2000 })
    expect(file).toBeGreaterThan(4)
    rmSync(journalPath(folder, 3))
    const { losses } = await foldJournal(journalIn(folder), ledger)
    expect(losses).toMatchObject([{ known: { file: 3, calls: 0 }, bytes: undefined }])
    const inFile3 = 80 - (await countCalls())
    expect(inFile3).toBeGreaterThan(0)
    expect(inFile3).toBeLessThan(20)
    expect(await problems()).toEqual([
      'File 3 of the journal is missing. The ledger has read nothing of it: its calls are lost.',
    ])
  })

  it('a file that is moved back is folded from where the ledger was', async () => {
    const { file } = await serve(20, true)
    const path = journalPath(folder, file)
    const service = await start()
    await service.write(20)
    await service.journal.close()
    renameSync(path, join(root, 'kept'))
    expect((await serve(20, true)).losses).toHaveLength(1)
    expect(await countCalls()).toBe(40)
    renameSync(join(root, 'kept'), path)
    await foldJournal(journalIn(folder), ledger)
    expect(await countCalls()).toBe(60)
    expect(await problems()).toEqual([])
  })

  it('files that retention has dropped are not missing', async () => {
    const { file } = await serve(60, true, { rotateBytes: 1000 })
    const fold = new JournalFold(journalIn(folder), ledger)
    await fold.run()
    const options = { foldedUpTo: formatCursor({ file, offset: 0 }), nowMs: someTimeMs, maxBytes: 1000 }
    const { dropped } = await applyRetention(folder, { ...options, onDrop: files => fold.markDropped(files) })
    expect(dropped).toBeGreaterThan(3)
    expect((await fold.run()).losses).toEqual([])
    expect((await serve(5, true)).losses).toEqual([])
    expect(await problems()).toEqual([])
  })

  it('a loss is forgotten when its calls are older than retention', async () => {
    const { file } = await serve(10, true)
    rmSync(journalPath(folder, file))
    await serve(10, true)
    expect(await problems()).toHaveLength(1)
    const fold = new JournalFold(journalIn(folder), ledger)
    await fold.forgetLosses((await ledger.files()).find(known => known.file === file)!.lastMs + 1)
    expect(await problems()).toEqual([])
  })
})

describe('entries that the writer did not make', () => {
  const copyTo = (number: number, form?: 'compressed') => () => {
    const contents = readFileSync(journalPath(folder, 1))
    writeFileSync(journalPath(folder, number, form ?? 'plain'), form ? zstdCompressSync(contents) : contents)
  }
  const strays: [name: string, make: () => void, problem: RegExp | undefined][] = [
    [
      'an empty file far ahead',
      () => writeFileSync(journalPath(folder, 99_999_999), ''),
      /99999999\.log does not follow/,
    ],
    ['a folder far ahead', () => mkdirSync(journalPath(folder, 99_999_999)), /99999999\.log is not a file/],
    [
      'a copy far ahead',
      copyTo(99_999_999),
      /99999999\.log does not follow.*\n(.*\n)*File 99999999 of the journal repeats 30 calls/,
    ],
    [
      'text far ahead',
      () => writeFileSync(journalPath(folder, 88_888_888), 'not a journal file\n'),
      /88888888\.log does not/,
    ],
    ['a copy under the next number', copyTo(2), /File 2 of the journal repeats 30 calls/],
    ['a copy after a gap', copyTo(5), /repeats 30 calls/],
    ['a compressed copy', copyTo(2, 'compressed'), /repeats 30 calls/],
    ['an empty file under the next number', () => writeFileSync(journalPath(folder, 2), ''), undefined],
    ['a folder under the next number', () => mkdirSync(journalPath(folder, 2)), /00000002\.log is not a file/],
    ['text under the next number', () => writeFileSync(journalPath(folder, 2), 'not a journal file\n'), undefined],
    [
      'other names',
      () => ['notes.txt', '1.log', '000000002.log'].map(name => writeFileSync(join(folder, name), 'x')),
      undefined,
    ],
  ]
  /** Makes the entry, writes 80 calls in the same or in a new process, and 40 in another one. */
  async function countAround(make: () => void, isRestarted: boolean): Promise<void> {
    const service = await start({ rotateBytes: 6000 })
    await service.write(30)
    await service.foldRound()
    if (isRestarted) await service.journal.close()
    make()
    const next = isRestarted ? await start({ rotateBytes: 6000 }) : service
    await next.foldRound()
    await next.write(80)
    await next.foldRound()
    await next.journal.close()
    await serve(40, true)
    expect(await countCalls()).toBe(150)
    expect((await sumUsage(journalIn(folder), ledger, always)).calls).toBe(150)
    // The numbers continue after the files that the writer made.
    expect((await serve(1, true)).file).toBeLessThan(30)
  }

  it.each(strays)('%s: every call is counted once', async (_, make, problem) => {
    await countAround(make, true)
    const found = (await problems()).join('\n')
    if (problem) expect(found).toMatch(problem)
    else expect(found).toBe('')
    expect(found).not.toContain('roll-up')
  })

  it.each(strays.slice(2, 6))('%s, made while the journal is written', async (_, make) => {
    await countAround(make, false)
  })
})

describe('a request id', () => {
  const write = async (records: readonly UsageRecord[], options: JournalOptions = {}) => {
    const journal = new Journal(folder, { known: await ledger.files(), ...options })
    for (const one of records) await journal.append(one)
    await journal.close()
  }

  it('is counted once, in one file, in several files, before and after restarts', async () => {
    const records = Array.from({ length: 40 }, nextRecord)
    await write([...records, ...records])
    await foldJournal(journalIn(folder), ledger)
    await write(records)
    await foldJournal(journalIn(folder), ledger)
    copyFileSync(journalPath(folder, 1), journalPath(folder, 2))
    await write(records, { rotateBytes: 1000 })
    await foldJournal(journalIn(folder), ledger)
    const text = readFileSync(journalPath(folder, 2))
    appendFileSync(journalPath(folder, listJournalSync(folder).at(-1)!.number), text)
    await foldJournal(journalIn(folder), ledger)
    expect(await countCalls()).toBe(40)
    const [first, last] = [records[3]!, records[7]!]
    const span = { fromMs: first.timeMs, toMs: last.timeMs }
    expect((await sumUsage(journalIn(folder), ledger, span)).calls).toBe(4)
  })

  it('is counted once if its file was compressed, and the clock is behind', async () => {
    await serve(120, true, { rotateBytes: 3000 })
    const { number: end } = listJournalSync(folder).at(-1)!
    await applyRetention(folder, { foldedUpTo: formatCursor({ file: end, offset: 0 }), nowMs: someTimeMs })
    expect(listJournalSync(folder).filter(({ form }) => form === 'compressed').length).toBeGreaterThan(4)
    const path = journalPath(folder, 2, 'compressed')
    copyFileSync(path, journalPath(folder, end + 1, 'compressed'))
    // Calls at the same times as the compressed ones, under a clock that is behind.
    const since = minutes
    minutes -= 100
    await serve(100, true, { rotateBytes: 3000 })
    minutes = since
    expect(await countCalls()).toBe(220)
  })

  it('is counted once if its file is of an earlier release and has lost its unbilled calls', async () => {
    // Rows for calls that are charged to two buckets make such a file larger.
    const mark = { windowStartMs: someTimeMs, tatUs: someTimeMs * 1000 }
    const marks = [
      { ...mark, bucket: 'search' as const },
      { ...mark, bucket: 'package' as const },
    ]
    const batches = Array.from({ length: 40 }, () => {
      const line = `${encodeRecord({ ...nextRecord(), marks })}\n`
      const hex = (value: number) => value.toString(16).padStart(8, '0')
      return `@${hex(line.length)} ${hex(crc32(line))}\n${line}`
    })
    mkdirSync(folder, { recursive: true })
    writeFileSync(journalPath(folder, 1), batches.join(''))
    const unbilled = Array.from({ length: 40 }, () => ({ ...nextRecord(), requestId: randomUUID(), units: 0 }))
    await write([nextRecord()], { rotateBytes: 1 })
    await write(unbilled, { rotateBytes: 5000 })
    await foldJournal(journalIn(folder), ledger)
    const copy = readFileSync(journalPath(folder, 1))
    const foldedUpTo = await ledger.position()
    await applyRetention(folder, { foldedUpTo, nowMs: someTimeMs })
    const bytes = listJournalSync(folder).reduce((sum, { path }) => sum + statSync(path).size, 0)
    await applyRetention(folder, { foldedUpTo, nowMs: someTimeMs, maxBytes: bytes - 300 })
    expect(listJournalSync(folder)).toMatchObject([{ form: 'billedOnly' }, { form: 'billedOnly' }, { form: 'plain' }])
    writeFileSync(journalPath(folder, 9), copy)
    await foldJournal(journalIn(folder), ledger)
    expect(await countCalls()).toBe(81)
  })

  it('of a tail that is not folded is counted once in reports', async () => {
    const records = Array.from({ length: 20 }, nextRecord)
    await write(records)
    await foldJournal(journalIn(folder), ledger)
    await write([...records, ...records.map(one => ({ ...one, requestId: `${one.requestId}x` }))])
    expect((await sumUsage(journalIn(folder), ledger, always)).calls).toBe(40)
    const span = { fromMs: records[0]!.timeMs, toMs: records[10]!.timeMs }
    expect((await sumUsage(journalIn(folder), ledger, span)).calls).toBe(20)
  })
})

it('damaged compressed files are problems of verify, and stop neither the fold nor reports of roll-ups', async () => {
  await serve(60, true, { rotateBytes: 3000 })
  const { number: end } = listJournalSync(folder).at(-1)!
  await applyRetention(folder, { foldedUpTo: formatCursor({ file: end, offset: 0 }), nowMs: someTimeMs })
  const path = journalPath(folder, 2, 'compressed')
  writeFileSync(path, readFileSync(path).fill(0, 4))
  minutes -= 50
  await serve(10, true)
  expect(await countCalls()).toBe(70)
  const found = checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))
  expect(found).toContainEqual({
    file: 'journal/00000002.log.zst',
    problem: expect.stringMatching(/^00000002\.log\.zst of the journal is damaged: it cannot be decompressed\./),
  })
  cpSync(folder, join(root, 'copy'), { recursive: true })
})

describe('a ledger that is older than the journal', () => {
  const [control, older] = ['control.sqlite', 'older'].map(name => () => join(root, name)) as [
    () => string,
    () => string,
  ]
  /** Copies the control store, or the copy over it. */
  const copyControl = async (from: () => string, to: () => string) => {
    await engine.close()
    copyFileSync(from(), to())
    engine = openEngine({ kind: 'sqlite', folder: root }, { create: false })
    ledger = engine.ledger
  }
  const compressAll = async () => {
    const { number: end } = listJournalSync(folder).at(-1)!
    await applyRetention(folder, { foldedUpTo: formatCursor({ file: end, offset: 0 }), nowMs: someTimeMs })
  }

  it('counts the rest of a file that was compressed meanwhile', async () => {
    await serve(5, true)
    await copyControl(control, older)
    await serve(60, true, { rotateBytes: 3000 })
    await compressAll()
    expect(listJournalSync(folder)[0]!.form).toBe('compressed')
    await copyControl(older, control)
    await serve(10, true)
    expect(await countCalls()).toBe(75)
    expect(await problems()).toEqual([])
  })

  it('folds the journal in spite of a damaged compressed file, and reports it', async () => {
    await copyControl(control, older)
    await serve(60, true, { rotateBytes: 3000 })
    await compressAll()
    const before = (await ledger.files()).find(({ file }) => file === 2)!
    const path = journalPath(folder, 2, 'compressed')
    writeFileSync(path, readFileSync(path).fill(0, 4))
    await copyControl(older, control)
    const { damages } = await foldJournal(journalIn(folder), ledger)
    expect(damages).toEqual([{ file: 2, offset: 0, bytes: statSync(path).size }])
    expect((await foldJournal(journalIn(folder), ledger)).damages).toEqual([])
    expect(await countCalls()).toBe(60 - before.calls)
  })
})

it('notes list the latest damage, and the number of earlier ones', () => {
  const logged: string[] = []
  const health = new JournalHealth(message => logged.push(message))
  for (let file = 1; file <= 7; file++) health.addRestoration({ file, displacement: 'replaced', lostBytes: 0 })
  health.addDamage({ file: 8, offset: 100, bytes: 20 }, 20)
  expect(logged).toHaveLength(8)
  expect(health.counts()).toEqual({ restored: 7, lost: 1 })
  expect(health.notes()).toEqual([
    ...logged.slice(3),
    'The journal has been damaged 3 more times; the log has the details.',
  ])
  expect(logged.at(-1)).toBe(
    'File 8 of the journal has 20 damaged bytes from byte 100 on. The calls in 20 of them are lost.',
  )
})
