import type { UsageRecord } from '../domain/usage.ts'
import { writeUuid } from '../kit/uuid.ts'
import { headerLength, writeHeader } from './batch-frame.ts'
import {
  baseTimeAt,
  durationAt,
  headBytes,
  lineAt,
  maxLines,
  maxTimeMs,
  ownLine,
  rowBytes,
  rowCountAt,
  tatAt,
  timeAt,
} from './batch-rows.ts'
import { encodeRecord } from './record.ts'

/** A line that the rows of similar calls share. */
interface SharedLine {
  readonly record: UsageRecord
  readonly text: string
  /** The batch in which the line has the number `line`. */
  batch: number
  line: number
}

/** Maximum number of shared lines that are kept between batches. */
const maxShared = 10_000

/** Builds batches of records. Encoding a call is a few numbers if an earlier one had the same key and operation. */
export class BatchWriter {
  #rows = Buffer.allocUnsafeSlow(64 * rowBytes)
  #count = 0
  #baseMs = 0
  #lines: string[] = []
  /** Number of the batch that is built. */
  #batch = 1
  /** By key. */
  readonly #shared = new Map<string, SharedLine[]>()
  #sharedCount = 0

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
    if ((this.#count + 1) * rowBytes > this.#rows.length) this.#grow()
    const at = this.#count++ * rowBytes
    const rows = this.#rows
    const timeMs = record.timeMs - this.#baseMs
    const isRow = fitsRow(record) && isUint(timeMs, maxTimeMs) && writeUuid(record.requestId, rows, at)
    rows.writeUInt16LE(isRow ? this.#findLine(record) : this.#lines.push(encodeRecord(record)) - 1, at + lineAt)
    rows.writeUInt16LE(isRow ? timeMs : 0, at + timeAt)
    rows.writeUInt32LE(isRow ? record.durationUs : ownLine, at + durationAt)
    rows.writeDoubleLE(record.marks[0]?.tatUs ?? 0, at + tatAt)
  }

  /** Returns the complete batch, with its header, and starts the next one. */
  take(): Buffer {
    const text = `${this.#lines.join('\n')}\n`
    const rowsLength = this.#count * rowBytes
    const batch = Buffer.allocUnsafe(headerLength + headBytes + rowsLength + Buffer.byteLength(text))
    batch.writeUInt32LE(this.#count, headerLength + rowCountAt)
    batch.writeDoubleLE(this.#baseMs, headerLength + baseTimeAt)
    this.#rows.copy(batch, headerLength + headBytes, 0, rowsLength)
    batch.write(text, headerLength + headBytes + rowsLength)
    writeHeader(batch)
    this.#count = 0
    this.#lines = []
    this.#batch++
    return batch
  }

  /** Returns the number of the line that the row of a record shares. */
  #findLine(record: UsageRecord): number {
    const shared = this.#linesOf(record.keyId).find(line => isSimilar(line.record, record)) ?? this.#addShared(record)
    if (shared.batch !== this.#batch) {
      shared.batch = this.#batch
      shared.line = this.#lines.push(shared.text) - 1
    }
    return shared.line
  }

  #addShared(record: UsageRecord): SharedLine {
    if (this.#sharedCount++ === maxShared) {
      this.#shared.clear()
      this.#sharedCount = 1
    }
    const shared = {
      record,
      text: encodeRecord({ ...record, requestId: '', timeMs: 0, durationUs: 0 }),
      batch: 0,
      line: 0,
    }
    this.#linesOf(record.keyId).push(shared)
    return shared
  }

  #linesOf(keyId: string): SharedLine[] {
    let lines = this.#shared.get(keyId)
    if (!lines) {
      lines = []
      this.#shared.set(keyId, lines)
    }
    return lines
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.#rows.length * 2)
    this.#rows.copy(larger)
    this.#rows = larger
  }
}

const isUint = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max

/** Returns true if a row can have what distinguishes a call from similar ones. */
const fitsRow = ({ fault, refusedBy, marks, durationUs }: UsageRecord): boolean =>
  fault === undefined &&
  refusedBy.length === 0 &&
  marks.length <= 1 &&
  marks[0]?.penalty === undefined &&
  isUint(durationUs, ownLine - 1)

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
    if (writer.isFull) batches.push(writer.take())
    writer.add(record)
  }
  if (writer.count > 0) batches.push(writer.take())
  return Buffer.concat(batches)
}
