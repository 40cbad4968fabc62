import type { FeedName } from '../../domain/feed.ts'
import { parseLongJson } from '../../kit/long-json.ts'

/**
 * The id of a record, comparable with `<` (the order of R-45) and `===`: a number up to 15 digits, otherwise a bigint;
 * a string in `enums`. Versions that write ids as strings have the same keys.
 */
export type RecordKey = number | bigint | string

export type KeyKind = 'digits' | 'words'

export const getKeyKind = (feed: FeedName): KeyKind => (feed === 'enums' ? 'words' : 'digits')

/** Id and type of a line. */
export interface LineHead {
  readonly key: RecordKey
  readonly tombstone: boolean
}

const record = Buffer.from('{"id":')
const tombstone = Buffer.from('{"op":"delete","id":')
const quote = 34
const comma = 44
const zero = 48
const backslash = 92
const brace = 125
/** Maximum number of digits that a double represents exactly. */
const safeDigits = 15
const decimal = /^[1-9]\d{0,18}$/

/**
 * Reads the id of the line from `start` to `end`; undefined if it has no valid id. The id is the first member of almost
 * every line and is read from its first bytes without creating a string.
 */
export function readHead(bytes: Buffer, start: number, end: number, kind: KeyKind): LineHead | undefined {
  const isRecord = startsWith(bytes, start, end, record)
  const isTombstone = !isRecord && startsWith(bytes, start, end, tombstone)
  if (isRecord || isTombstone) {
    const at = start + (isRecord ? record.length : tombstone.length)
    const key = kind === 'digits' ? readDigits(bytes, at, end) : readWord(bytes, at, end)
    if (key !== undefined) return { key, tombstone: isTombstone }
  }
  return parseHead(bytes.toString('utf8', start, end), kind)
}

/** Converts an id from a manifest or a parsed line to a key; undefined if it is invalid. */
export function parseKey(id: unknown, kind: KeyKind): RecordKey | undefined {
  if (kind === 'words') return typeof id === 'string' ? id : undefined
  const text = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : ''
  if (!decimal.test(text)) return undefined
  return text.length <= safeDigits ? Number(text) : BigInt(text)
}

function parseHead(text: string, kind: KeyKind): LineHead | undefined {
  try {
    const line = parseLongJson(text) as { id?: unknown; op?: unknown } | null
    const key = parseKey(line?.id, kind)
    return key === undefined ? undefined : { key, tombstone: line?.op === 'delete' }
  } catch {
    return undefined
  }
}

function startsWith(bytes: Buffer, start: number, end: number, prefix: Buffer): boolean {
  if (end - start <= prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false
  return true
}

/** Reads digits, quoted or not; undefined for anything else. */
function readDigits(bytes: Buffer, at: number, end: number): RecordKey | undefined {
  const quoted = bytes[at] === quote
  const from = quoted ? at + 1 : at
  let value = 0
  let i = from
  for (; i < end; i++) {
    const digit = bytes[i]! - zero
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
  }
  const after = quoted ? i + 1 : i
  if ((quoted && bytes[i] !== quote) || !endsMember(bytes[after])) return undefined
  return i - from <= safeDigits && bytes[from] !== zero && i > from
    ? value
    : parseKey(bytes.toString('latin1', from, i), 'digits')
}

/** Reads a string without escapes; undefined for anything else. */
function readWord(bytes: Buffer, at: number, end: number): string | undefined {
  if (bytes[at] !== quote) return undefined
  for (let i = at + 1; i < end; i++) {
    if (bytes[i] === backslash) return undefined
    if (bytes[i] === quote) return endsMember(bytes[i + 1]) ? bytes.toString('utf8', at + 1, i) : undefined
  }
  return undefined
}

const endsMember = (byte: number | undefined): boolean => byte === comma || byte === brace
