import type { UsageRecord } from '../domain/usage.ts'
import { writeUuid } from '../kit/uuid.ts'
import { headerLength, writeHeader } from './batch-frame.ts'
import {
  baseTimeAt,
  callRowBytes,
  durationAt,
  headBytes,
  lineAt,
  maxLines,
  maxTimeMs,
  ownLine,
  rowCountAt,
  tatAt,
  timeAt,
} from './batch-rows.ts'
import { encodeRecord } from './record.ts'

/** A line that the rows of similar calls share. */
interface SharedLine {
  readonly record: UsageRecord
  /** The line with its end. */
  readonly bytes: Buffer
  /** The batch in which the line has the number `line`. */
  batch: number
  line: number
}

/** Some shared lines of a key that have the same units and status: those that were found last by their text. */
interface RecentLines {
  readonly lines: SharedLine[]
  /** Index of the line that the next one replaces. */
  next: number
}

/** Maximum number of shared lines that are kept between batches. */
const maxShared = 10_000

/** Maximum number of lines that are compared with a call before its line is looked up by its text. */
const recentLines = 8

/** Builds batches of records. Encoding a call is a few numbers if an earlier one had the same key and operation. */
export class BatchWriter {
  /** The batch: its header and head, rows, and lines once it is finished. Reused, to leave little garbage. */
  #batch = Buffer.allocUnsafeSlow(16_384)
  #count = 0
  #baseMs = 0
  #lines: Buffer[] = []
  #linesLength = 0
  /** Number of the batch that is built. */
  #number = 1
  /** By text. */
  readonly #shared = new Map<string, SharedLine>()
  /** By key, and by `groupOf`. */
  readonly #recent = new Map<string, Map<number, RecentLines>>()

  /** Number of records in the batch. */
  get count(): number {
    return this.#count
  }

  /** True if the batch must be taken before the next record is added. */
  get isFull(): boolean {
    return this.#lines.length === maxLines
  }

  add(record: UsageRecord): void {
    if (this.#count === 0) this.#baseMs = record.timeMs
    const at = rowsAt + this.#count++ * callRowBytes
    this.#reserve(at + callRowBytes)
    const batch = this.#batch
    const timeMs = record.timeMs - this.#baseMs
    const isRow = fitsRow(record) && isUint(timeMs, maxTimeMs) && writeUuid(record.requestId, batch, at)
    batch.writeUInt16LE(isRow ? this.#findLine(record) : this.#addLine(encodeLine(record)), at + lineAt)
    batch.writeUInt16LE(isRow ? timeMs : 0, at + timeAt)
    batch.writeUInt32LE(isRow ? record.durationUs : ownLine, at + durationAt)
    batch.writeDoubleLE(record.marks[0]?.tatUs ?? 0, at + tatAt)
  }

  /** Returns the complete batch, with its header, until the next `add`, which starts the next batch. */
  take(): Buffer {
    let at = rowsAt + this.#count * callRowBytes
    this.#reserve(at + this.#linesLength)
    for (const line of this.#lines) at += line.copy(this.#batch, at)
    const batch = this.#batch.subarray(0, at)
    batch.writeUInt32LE(this.#count, headerLength + rowCountAt)
    batch.writeDoubleLE(this.#baseMs, headerLength + baseTimeAt)
    writeHeader(batch)
    this.#count = 0
    this.#lines = []
    this.#linesLength = 0
    this.#number++
    return batch
  }

  /** Returns the number of the line that the row of a record shares. */
  #findLine(record: UsageRecord): number {
    const shared = this.#findShared(record)
    if (shared.batch !== this.#number) {
      shared.batch = this.#number
      shared.line = this.#addLine(shared.bytes)
    }
    return shared.line
  }

  #addLine(line: Buffer): number {
    this.#linesLength += line.length
    return this.#lines.push(line) - 1
  }

  /**
   * Returns the shared line of a record, which is made if no earlier record had it. Takes at most a few comparisons and
   * one look-up, however many different calls a key makes.
   */
  #findShared(record: UsageRecord): SharedLine {
    const recent = this.#recent.get(record.keyId)?.get(groupOf(record))
    const found = recent?.lines.find(line => isSimilar(line.record, record))
    if (found) return found
    const text = encodeRecord({
      ...record,
      requestId: '',
      timeMs: 0,
      durationUs: 0,
      marks: record.marks.map(mark => ({ ...mark, tatUs: 0 })),
    })
    const shared = this.#shared.get(text) ?? this.#addShared(record, text)
    this.#remember(shared)
    return shared
  }

  #addShared(record: UsageRecord, text: string): SharedLine {
    if (this.#shared.size === maxShared) {
      this.#shared.clear()
      this.#recent.clear()
    }
    const shared = { record, bytes: Buffer.from(`${text}\n`), batch: 0, line: 0 }
    this.#shared.set(text, shared)
    return shared
  }

  #remember(shared: SharedLine): void {
    const { keyId } = shared.record
    const group = groupOf(shared.record)
    const groups = this.#recent.get(keyId) ?? new Map<number, RecentLines>()
    this.#recent.set(keyId, groups)
    const recent = groups.get(group)
    if (!recent) groups.set(group, { lines: [shared], next: 1 })
    else recent.lines[recent.next++ % recentLines] = shared
  }

  #reserve(length: number): void {
    if (length <= this.#batch.length) return
    const larger = Buffer.allocUnsafeSlow(2 * length)
    this.#batch.copy(larger)
    this.#batch = larger
  }
}

const rowsAt = headerLength + headBytes

const encodeLine = (record: UsageRecord): Buffer => Buffer.from(`${encodeRecord(record)}\n`)

const isUint = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max

/** Returns true if a row can hold the values in which a record may differ from its shared line. */
const fitsRow = ({ fault, session, refusedBy, marks, durationUs }: UsageRecord): boolean =>
  fault === undefined &&
  session === undefined &&
  refusedBy.length === 0 &&
  marks.length <= 1 &&
  marks[0]?.penalty === undefined &&
  isUint(durationUs, ownLine - 1)

/** Returns a number that is the same for all records with the same units and status. */
const groupOf = ({ units, status }: UsageRecord): number => units * 1000 + status

/** Returns true if two records that fit in rows can share a line. */
const isSimilar = (a: UsageRecord, b: UsageRecord): boolean =>
  a.operation === b.operation &&
  a.units === b.units &&
  a.status === b.status &&
  a.secretId === b.secretId &&
  a.version === b.version &&
  a.versionExplicit === b.versionExplicit &&
  a.marks[0]?.windowStartMs === b.marks[0]?.windowStartMs &&
  a.marks[0]?.bucket === b.marks[0]?.bucket &&
  a.shiftMs === b.shiftMs &&
  a.epoch === b.epoch &&
  a.subject === b.subject &&
  a.partnerId === b.partnerId &&
  a.keyId === b.keyId &&
  a.billable === b.billable &&
  a.meter === b.meter &&
  a.weight === b.weight

/** Encodes records as consecutive batches. */
export function encodeBatches(records: Iterable<UsageRecord>): Buffer {
  const writer = new BatchWriter()
  const batches: Buffer[] = []
  for (const record of records) {
    if (writer.isFull) batches.push(Buffer.from(writer.take()))
    writer.add(record)
  }
  if (writer.count > 0) batches.push(Buffer.from(writer.take()))
  return Buffer.concat(batches)
}
