import { type JournalCall, toRecord } from '../domain/journal-call.ts'
import type { UsageRecord } from '../domain/usage.ts'
import type { FramedBatch } from './batch-frame.ts'
import {
  baseTimeAt,
  callRowBytes,
  durationAt,
  headBytes,
  lineAt,
  ownLine,
  rowCountAt,
  tatAt,
  timeAt,
} from './batch-rows.ts'
import { hashHigh, hashLow, wordsOfId } from './id-set.ts'
import { decodeRecord } from './record.ts'

/** Maximum number of decoded lines that are kept between batches, and of characters of one. */
const maxLines = 2000
const maxLineLength = 1000
const decodedLines = new Map<string, UsageRecord>()

/** Decodes the calls of a batch. */
export function readCalls({ form, body }: FramedBatch): JournalCall[] {
  if (form === 'lines') return splitLines(body, 0).map(line => toOwnCall(decodeRecord(line)))
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  const count = view.getUint32(rowCountAt, true)
  const baseMs = view.getFloat64(baseTimeAt, true)
  const lines = splitLines(body, headBytes + count * callRowBytes)
  const terms: (UsageRecord | undefined)[] = []
  const calls: JournalCall[] = []
  for (let i = 0; i < count; i++) {
    const at = headBytes + i * callRowBytes
    const line = view.getUint16(at + lineAt, true)
    const durationUs = view.getUint32(at + durationAt, true)
    if (durationUs === ownLine) {
      calls.push(toOwnCall(decodeRecord(lines[line]!)))
      continue
    }
    const shared = terms[line] ?? decodeShared(lines[line]!)
    terms[line] = shared
    calls.push({
      terms: shared,
      source: body,
      at,
      idLow: hashLow(view, at),
      idHigh: hashHigh(view, at),
      timeMs: baseMs + view.getUint16(at + timeAt, true),
      durationUs,
      tatUs: view.getFloat64(at + tatAt, true),
    })
  }
  return calls
}

/** Decodes the records of a batch. */
export const decodeRecords = (batch: FramedBatch): UsageRecord[] => readCalls(batch).map(toRecord)

function toOwnCall(record: UsageRecord): JournalCall {
  const id = wordsOfId(record.requestId)
  const { timeMs, durationUs } = record
  return {
    terms: record,
    source: undefined,
    at: 0,
    idLow: hashLow(id),
    idHigh: hashHigh(id),
    timeMs,
    durationUs,
    tatUs: 0,
  }
}

/** Decodes a shared line; consecutive batches usually have the same ones. */
function decodeShared(line: string): UsageRecord {
  const known = decodedLines.get(line)
  if (known) return known
  const record = decodeRecord(line)
  if (line.length > maxLineLength) return record
  if (decodedLines.size === maxLines) decodedLines.clear()
  decodedLines.set(line, record)
  return record
}

const splitLines = (body: Buffer, start: number): string[] =>
  body.length - start <= 1 ? [] : body.toString('utf8', start, body.length - 1).split('\n')
