import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { linesUntilKilled } from '../../test/kills.ts'
import { limitBuckets } from '../domain/limit-bucket.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { findBatches } from './batch-frame.ts'
import { callRowBytes } from './batch-rows.ts'
import { encodeBatches } from './batch-writer.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { decodeRecords } from './journal-calls.ts'
import { allocateJournalEnd } from './journal-end.ts'
import { type FileSystem, journalPath, listJournalSync, nodeFileSystem } from './journal-files.ts'
import { journalStart } from './journal-position.ts'
import { readJournal } from './journal-reader.ts'
import { JournalWriter } from './journal-writer.ts'
import { record, someTimeMs } from './records.fixture.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function idsIn(path = folder): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of readJournal(path, journalStart)) ids.push(...batch.records.map(r => r.requestId))
  return ids
}

/** A simulated disk; a test determines the result of each write and truncation. */
class FaultyDisk implements FileSystem {
  writes = 0
  syncs = 0
  /** Bytes that still fit. */
  room = Number.POSITIVE_INFINITY
  code = 'ENOSPC'
  truncates = true

  open = nodeFileSystem.open
  close = nodeFileSystem.close
  write(fd: number, buffer: Buffer, offset: number, position: number): number {
    this.writes++
    const fits = Math.min(this.room, buffer.length - offset)
    if (fits <= 0) throw Object.assign(new Error(this.code), { code: this.code })
    this.room -= fits
    return nodeFileSystem.write(fd, buffer.subarray(0, offset + fits), offset, position)
  }
  truncate(fd: number, length: number): void {
    if (!this.truncates) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    nodeFileSystem.truncate(fd, length)
  }
  async sync(fd: number): Promise<void> {
    this.syncs++
    await nodeFileSystem.sync(fd)
  }
}

const decodeBatches = (contents: Buffer): UsageRecord[] => [...findBatches(contents)].flatMap(decodeRecords)

describe('a record', () => {
  it('is decoded unchanged, whatever records it shares its batch with', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_/-]{1,24}$/)
    const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
    const penalty = fc.record({ firstRefusalUs: count, promiseUs: count, strikes: fc.nat(7), struckUs: count })
    const mark = fc.record(
      { bucket: fc.constantFrom(...limitBuckets), windowStartMs: count, tatUs: count, penalty },
      { requiredKeys: ['bucket', 'windowStartMs', 'tatUs'], noNullPrototype: true },
    )
    const fault = fc.record(
      {
        code: fc.constantFrom('rate_limited' as const, 'parameters_invalid' as const),
        fields: fc.array(word, { maxLength: 3 }),
        policies: fc.array(fc.constantFrom('"search";q=5;w=5', '"penalty"'), { maxLength: 2 }),
        keyRevision: count,
        retryAfterS: count,
        cost: fc.nat(),
      },
      { requiredKeys: ['code', 'fields', 'policies', 'keyRevision'], noNullPrototype: true },
    )
    const digest = fc.stringMatching(/^[0-9a-f]{16}$/)
    const session = fc.oneof(
      fc.record({ kind: fc.constant('chosen' as const), session: digest }, { noNullPrototype: true }),
      fc.record(
        { kind: fc.constant('typed' as const), session: digest, letters: fc.nat(65_535) },
        { noNullPrototype: true },
      ),
    )
    const required = Object.keys(record()) as (keyof UsageRecord)[]
    const anyRecord: fc.Arbitrary<UsageRecord> = fc.record(
      {
        requestId: fc.oneof(fc.uuid(), word),
        timeMs: count,
        shiftMs: fc.integer(),
        partnerId: word,
        keyId: word,
        subject: word,
        operation: word,
        version: word,
        versionExplicit: fc.boolean(),
        units: count,
        meter: fc.constantFrom('call' as const, 'entity' as const, 'none' as const),
        weight: fc.nat(),
        billable: fc.boolean(),
        status: fc.integer({ min: 200, max: 599 }),
        refusedBy: fc.array(word, { maxLength: 3 }),
        durationUs: count,
        marks: fc.array(mark, { maxLength: 2 }),
        fault,
        secretId: fc.integer({ min: 1, max: 9999 }).map(String),
        epoch: count,
        session,
      },
      { requiredKeys: [...required], noNullPrototype: true },
    )
    /** Changes of a record, that usually leave it similar to the others of its batch. */
    const change = fc.record(
      {
        requestId: fc.oneof(fc.uuid(), word),
        timeMs: fc.oneof(fc.integer({ min: someTimeMs - 2, max: someTimeMs + 70_000 }), count),
        durationUs: fc.oneof(fc.nat(), count),
        units: fc.nat(2),
        keyId: fc.constantFrom('k1', 'k2'),
        shiftMs: fc.constantFrom(0, -5000),
        secretId: fc.constantFrom('1', '2'),
        epoch: fc.constantFrom(0, 1_795_305_590_000),
        marks: fc.array(mark, { maxLength: 2 }),
        session,
        fault,
      },
      { requiredKeys: ['requestId'], noNullPrototype: true },
    )
    const similarRecord = fc.tuple(fc.option(anyRecord, { freq: 10 }), change).map(([one, of]) => one ?? record(of))
    fc.assert(
      fc.property(fc.array(similarRecord, { maxLength: 40 }), records => {
        expect(decodeBatches(encodeBatches(records))).toEqual(records)
      }),
    )
  })

  it('has 32 bytes in a batch of similar ones', () => {
    const size = (count: number) => encodeBatches(Array.from({ length: count }, () => record())).length
    expect((size(100) - size(10)) / 90).toBe(32)
  })

  it('shares its line however many different calls its key makes', () => {
    const kinds = Array.from({ length: 3000 }, (_, i) => ({
      operation: `op${i % 50}`,
      units: Math.floor(i / 50) % 7,
      version: `${i}`,
    }))
    const calls = (rounds: number) => Array.from({ length: rounds }, () => kinds.map(record)).flat()
    const records = calls(3)
    const encoded = encodeBatches(records)
    expect(encoded.length - encodeBatches(calls(1)).length).toBe(2 * kinds.length * callRowBytes)
    expect(decodeBatches(encoded)).toEqual(records)
  })

  it('of a batch with more lines than rows can name is in the next batch', () => {
    const records = Array.from({ length: 70_000 }, (_, i) => record({ keyId: `k${i}` }))
    const contents = encodeBatches(records)
    expect([...findBatches(contents)].map(({ form }) => form)).toEqual(['rows', 'rows'])
    expect(decodeBatches(contents).map(({ keyId }) => keyId)).toEqual(records.map(({ keyId }) => keyId))
  })

  it('of a file of an earlier release is decoded, between batches of this one', () => {
    const line =
      '0198c0de-0000-7000-8000-0000000000f1\t1772600767890\t0\tacme\tk1\t\tgetLocation\t1\teb7\t1\tcall\t1\t200\t\t431\tpackage:5:6\n'
    const crc = crc32(line).toString(16).padStart(8, '0')
    const old = Buffer.from(`@${line.length.toString(16).padStart(8, '0')} ${crc}\n${line}`)
    const [a, b] = [record(), record()]
    expect(decodeBatches(Buffer.concat([encodeBatches([a]), old, encodeBatches([b])]))).toEqual([
      a,
      record({
        requestId: '0198c0de-0000-7000-8000-0000000000f1',
        timeMs: 1772600767890,
        secretId: '7',
        versionExplicit: true,
        marks: [{ bucket: 'package', windowStartMs: 5, tatUs: 6 }],
      }),
      b,
    ])
  })
})

describe('other threads', () => {
  const startShared = (options: JournalOptions = {}) => {
    const memory = allocateJournalEnd()
    const journal = new Journal(folder, { ...options, memory })
    const writer = new JournalWriter({
      memory,
      thread: 2,
      endOfTurn: setImmediate,
      files: options.files ?? nodeFileSystem,
    })
    return { memory, journal, writer }
  }

  it('write to the same files, which their owner rotates, syncs and writes again when they are removed', async () => {
    const disk = new FaultyDisk()
    const { journal, writer } = startShared({ rotateBytes: 1000, syncAfterMs: 1, files: disk })
    const ids: string[] = []
    for (const target of [journal, writer, writer, journal, writer]) {
      for (let i = 0; i < 10; i++) {
        const made = record()
        ids.push(made.requestId)
        expect(await target.append(made)).toBe('written')
      }
    }
    await expect.poll(() => listJournalSync(folder).length).toBeGreaterThan(1)
    const syncs = disk.syncs
    expect(await writer.append(record({ requestId: 'last' }))).toBe('written')
    rmSync(journalPath(folder, listJournalSync(folder).at(-1)!.number))
    expect(await writer.append(record({ requestId: 'after' }))).toBe('written')
    await expect.poll(() => disk.syncs).toBeGreaterThan(syncs)
    await journal.close()
    expect(new Set(await idsIn())).toEqual(new Set([...ids, 'last', 'after']))
    expect(journal.records).toBe(ids.length + 2)
  })

  it('refuse records while the disk fails, whichever thread notices it', async () => {
    const disk = new FaultyDisk()
    const { journal, writer } = startShared({ files: disk, probeEveryMs: 1 })
    disk.room = 0
    expect(await writer.append(record())).toMatchObject({ code: 'ENOSPC' })
    expect(writer.failure()).toMatchObject({ code: 'ENOSPC' })
    await expect.poll(() => journal.failure()).toMatchObject({ code: 'ENOSPC' })
    disk.room = Number.POSITIVE_INFINITY
    await expect.poll(() => writer.failure()).toBeUndefined()
    const made = record()
    expect([await writer.append(made), journal.failure()]).toEqual(['written', undefined])
    await journal.close()
    expect(await idsIn()).toEqual([made.requestId])
  })

  it.each([
    ['a complete batch', 0, ['first', 'torn', 'next']],
    ['a part of a batch', 5, ['first', 'next']],
  ])('leave %s when they end within a write', async (_, missing, expected) => {
    const { memory, journal } = startShared({ maxWaitMs: 20 })
    await journal.append(record({ requestId: 'first' }))
    const { file, offset } = journal.end()
    const batch = encodeBatches([record({ requestId: 'torn' })])
    appendFileSync(journalPath(folder, file), batch.subarray(0, batch.length - missing))
    expect(offset).toBeLessThan(statSync(journalPath(folder, file)).size)
    Atomics.store(new Int32Array(memory.state), 0, 2)
    // The end of a thread is noticed in a later turn, which a wait without end would never reach.
    expect(await journal.append(record({ requestId: 'refused' }))).toMatchObject({ code: 'EBUSY' })
    journal.releaseFor(2)
    await journal.append(record({ requestId: 'next' }))
    await journal.close()
    expect(await idsIn()).toEqual(expected)
  })
})

describe('the journal', () => {
  it('writes the records of one turn with one write, and resolves after it', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files })
    const records = Array.from({ length: 50 }, () => record())
    const outcomes = records.map(r => journal.append(r))
    expect(statSync(journalPath(folder, 1)).size).toBe(0)
    expect(await outcomes[0]).toBe('written')
    expect(files.writes).toBe(1)
    expect(await idsIn()).toEqual(records.map(r => r.requestId))
    await journal.close()
  })

  it('syncs within a second automatically', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const files = new FaultyDisk()
      const journal = new Journal(folder, { files })
      await journal.append(record())
      expect(files.syncs).toBe(0)
      await vi.advanceTimersByTimeAsync(1000)
      expect(files.syncs).toBe(1)
      await journal.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('continues in the next file at the maximum size', async () => {
    const journal = new Journal(folder, { rotateBytes: 1000 })
    const written: string[] = []
    for (let i = 0; i < 50; i++) {
      const r = record()
      await journal.append(r)
      written.push(r.requestId)
    }
    await journal.close()
    expect(listJournalSync(folder).length).toBeGreaterThan(5)
    expect(await idsIn()).toEqual(written)
    const again = new Journal(folder)
    const last = record()
    await again.append(last)
    await again.close()
    expect(await idsIn()).toEqual([...written, last.requestId])
  })

  it('truncates an incomplete batch of any length', async () => {
    const journal = new Journal(folder)
    const whole = record()
    await journal.append(whole)
    const { offset } = journal.end()
    void journal.append(record())
    await journal.append(record())
    await journal.close()
    const path = journalPath(folder, 1)
    const contents = readFileSync(path)
    for (let length = offset; length < contents.length; length++) {
      writeFileSync(path, contents.subarray(0, length))
      expect(await idsIn()).toEqual([whole.requestId])
      const reopened = new Journal(folder)
      expect(reopened.end()).toEqual({ file: 1, offset })
      await reopened.close()
    }
  })

  it('finds the batches after a damaged one', async () => {
    const journal = new Journal(folder)
    const [a, b, c] = [record(), record(), record()]
    await journal.append(a)
    const { offset } = journal.end()
    await journal.append(b)
    await journal.append(c)
    await journal.close()
    const contents = readFileSync(journalPath(folder, 1))
    contents[offset + 40] = contents[offset + 40]! ^ 1
    writeFileSync(journalPath(folder, 1), contents)
    expect(await idsIn()).toEqual([a.requestId, c.requestId])
    const reopened = new Journal(folder)
    expect(reopened.end().offset).toBe(contents.length)
    await reopened.close()
  })

  it('truncates bytes that are not a batch', async () => {
    const journal = new Journal(folder)
    await journal.append(record())
    const { offset } = journal.end()
    await journal.close()
    appendFileSync(journalPath(folder, 1), Buffer.alloc(5000))
    const reopened = new Journal(folder)
    expect(reopened.end().offset).toBe(offset)
    await reopened.close()
    truncateSync(journalPath(folder, 1), 0)
  })
})

describe('a disk that fails', () => {
  it.each([true, false])(
    'refuses the whole batch, keeps no part of it, and continues (truncation works: %s)',
    async truncates => {
      const files = new FaultyDisk()
      files.truncates = true
      const journal = new Journal(folder, { files, probeEveryMs: 50 })
      files.truncates = truncates
      const first = record()
      await journal.append(first)
      files.room = 100
      const lost = [journal.append(record()), journal.append(record())]
      expect(await Promise.all(lost)).toEqual([
        { code: 'ENOSPC', reason: 'The usage journal cannot be written (ENOSPC).' },
        { code: 'ENOSPC', reason: 'The usage journal cannot be written (ENOSPC).' },
      ])
      expect(journal.failure()?.code).toBe('ENOSPC')
      expect(await idsIn()).toEqual([first.requestId])
      files.room = Number.POSITIVE_INFINITY
      const next = record()
      expect(await journal.append(next)).toBe('written')
      expect(journal.failure()).toBeUndefined()
      expect(await idsIn()).toEqual([first.requestId, next.requestId])
      await journal.close()
    },
  )

  it('does not complete a short write by the remains of another one', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files, probeEveryMs: 60_000 })
    const keyId = 'k'.repeat(1 + 2 * callRowBytes)
    const shorter = () => [1, 2].map(() => record({ keyId, subject: keyId }))
    const [one, two, three] = [1, 2, 3].map(() => record({ keyId: 'k', subject: 'k' }))
    const longer = [one!, two!, three!, record({ refusedBy: ['rate'] })]
    const { length } = encodeBatches(shorter())
    // The remains end as the second batch does, where it ends.
    expect(encodeBatches(longer).subarray(length - 9, length)).toEqual(encodeBatches(shorter()).subarray(-9))
    files.truncates = false
    files.room = length + 5
    expect(await Promise.all(longer.map(r => journal.append(r)))).toMatchObject(Array(4).fill({}))
    for (let missing = 0; missing <= 3; missing++) {
      files.room = length - missing
      const refused = await Promise.all(shorter().map(r => journal.append(r)))
      expect(refused.filter(outcome => outcome === 'written')).toEqual([])
      expect(await idsIn()).toEqual([])
    }
    files.room = Number.POSITIVE_INFINITY
    const next = record()
    expect(await journal.append(next)).toBe('written')
    expect(await idsIn()).toEqual([next.requestId])
    await journal.close()
  })

  it('contains exactly the acknowledged records, regardless of write failures', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files, rotateBytes: 5000, probeEveryMs: 1 })
    const answered: string[] = []
    let refused = 0
    for (let turn = 0; turn < 400; turn++) {
      files.room = Math.random() < 0.5 ? Number.POSITIVE_INFINITY : Math.floor(Math.random() * 300)
      files.truncates = Math.random() < 0.7
      const batch = Array.from({ length: 1 + Math.floor(Math.random() * 5) }, () => record())
      const outcomes = await Promise.all(batch.map(r => journal.append(r)))
      if (outcomes[0] === 'written') answered.push(...batch.map(r => r.requestId))
      else refused++
      if (turn % 10 === 0) expect(await idsIn()).toEqual(answered)
    }
    files.room = Number.POSITIVE_INFINITY
    await journal.close()
    expect(refused).toBeGreaterThan(50)
    const reopened = new Journal(folder)
    await reopened.close()
    expect(await idsIn()).toEqual(answered)
  })

  it('recovers when space is available again', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files, probeEveryMs: 20 })
    files.room = 0
    files.code = 'EIO'
    expect(await journal.append(record())).toMatchObject({ code: 'EIO' })
    const tries = files.writes
    await expect.poll(() => files.writes).toBeGreaterThan(tries + 1)
    expect(journal.failure()).toBeDefined()
    files.room = Number.POSITIVE_INFINITY
    await expect.poll(() => journal.failure()).toBeUndefined()
    expect(statSync(journalPath(folder, 1)).size).toBe(0)
    await journal.close()
  })

  it('reports a failed sync', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files, syncAfterMs: 5, probeEveryMs: 10_000 })
    files.sync = async () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    await journal.append(record())
    await expect.poll(() => journal.failure()?.code).toBe('EIO')
    files.sync = async () => {}
    await journal.close()
  })
})

// An unhandled rejection fails the test run, as it would end the service.
describe('an error in the background', () => {
  it('without a code, of a sync, makes the journal fail', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files, syncAfterMs: 5, probeEveryMs: 10_000 })
    files.sync = async () => {
      throw new Error('out of threads')
    }
    await journal.append(record())
    await expect.poll(() => journal.failure()?.reason).toBe('The usage journal cannot be written (UNKNOWN).')
    files.sync = async () => {}
    await journal.close()
  })

  it('of closing the old file makes the journal fail, and calls are counted in the new one', async () => {
    const files = new FaultyDisk()
    const journal = new Journal(folder, { files, rotateBytes: 100, probeEveryMs: 10_000 })
    const close = files.close
    files.close = fd => {
      close(fd)
      throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    const first = record()
    await journal.append(first)
    // The old file is open until the ledger has it.
    journal.setFolded({ file: 2, offset: 0 })
    await expect.poll(() => journal.failure()?.code).toBe('EIO')
    files.close = close
    const second = record()
    expect(await journal.append(second)).toBe('written')
    await journal.close()
    expect(await idsIn()).toEqual([first.requestId, second.requestId])
  })
})

describe('kill -9', () => {
  const kills = Number(process.env.PERIPLUS_KILLS ?? 4)
  /** Appends as fast as it can and prints the id of each record once it is written. */
  const writer = join(import.meta.dirname, 'journal-writer.fixture.ts')

  it.each([
    ['one thread', kills, []],
    ['three threads, with one replaced', Math.ceil(kills / 4), ['threads']],
  ] as const)(
    'of %s loses no acknowledged record and counts none twice, over %i kills',
    { timeout: 0 },
    async (_, count, args) => {
      const acknowledged: string[] = []
      for (let kill = 0; kill < count; kill++)
        acknowledged.push(
          ...(await linesUntilKilled(1 + ((89 * kill) % 700) + 2000 * args.length, writer, folder, ...args)),
        )
      const stored = await idsIn()
      const unique = new Set(stored)
      expect(unique.size).toBe(stored.length)
      expect(acknowledged.filter(id => !unique.has(id))).toEqual([])
    },
  )
})
