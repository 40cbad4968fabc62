import type { JournalCall } from '../../domain/journal-call.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { type LoggedRow, loggedColumns } from '../rows/logged-call.ts'
import { maxRows, readBlock, requestRowBytes, writeRow } from '../rows/request-log-blocks.ts'

/** Maximum time between the first and the last call of a block, in milliseconds. */
export const maxSpanMs = 60_000
const maxUint = 0xffff_ffff

/** The values that calls of a block have in common, as JSON. */
type Kind = readonly [
  operation: string,
  version: string,
  explicit: number,
  status: number,
  units: number,
  fault: string | null,
  fields: string | null,
  refused: string | null,
  facts: string | null,
]

/** A block of calls of one key. */
export interface RequestBlock {
  readonly key: string
  readonly partner: string
  readonly fromMs: number
  readonly toMs: number
  readonly kinds: readonly Kind[]
  readonly calls: Buffer
}

/** A block as it is stored. */
export interface RequestBlockRow {
  readonly no: bigint
  readonly key_id: string
  readonly partner_id: string
  readonly from_ms: bigint
  readonly to_ms: bigint
  /** JSON. */
  readonly kinds: string
  readonly calls: Buffer
}

/** Divides calls into blocks. Calls whose request id is no UUID are left out. */
export function toBlocks(calls: readonly JournalCall[]): RequestBlock[] {
  const blocks: RequestBlock[] = []
  for (const ofKey of Map.groupBy(calls, ({ terms }) => terms.keyId).values()) {
    const ordered = ofKey.toSorted((a, b) => a.timeMs - b.timeMs)
    for (let start = 0; start < ordered.length; ) {
      const fromMs = ordered[start]!.timeMs
      const end = ordered.findIndex(({ timeMs }, i) => i >= start + maxRows || timeMs - fromMs > maxSpanMs)
      const next = end === -1 ? ordered.length : end
      const block = toBlock(ordered.slice(start, next))
      if (block) blocks.push(block)
      start = next
    }
  }
  return blocks
}

function toBlock(calls: readonly JournalCall[]): RequestBlock | undefined {
  const [first] = calls
  const rows = Buffer.alloc(calls.length * requestRowBytes)
  const kinds = new Kinds()
  let [at, toMs] = [0, 0]
  for (const call of calls) {
    const durationUs = Math.min(Math.max(0, Math.round(call.durationUs)), maxUint)
    if (!writeRow(rows, at, { ...call, durationUs }, kinds.indexOf(call.terms), first!.timeMs)) continue
    at += requestRowBytes
    toMs = call.timeMs
  }
  if (at === 0) return undefined
  const { keyId: key, partnerId: partner } = first!.terms
  return { key, partner, fromMs: first!.timeMs, toMs, kinds: kinds.list, calls: rows.subarray(0, at) }
}

/** Numbers the kinds of a block. */
class Kinds {
  readonly list: Kind[] = []
  readonly #byText = new Map<string, number>()
  readonly #byTerms = new Map<UsageRecord, number>()

  indexOf(terms: UsageRecord): number {
    return this.#byTerms.getOrInsertComputed(terms, () => {
      const { fault, fields, refused, facts } = loggedColumns(terms)
      const { operation, version, versionExplicit, status, units } = terms
      const kind: Kind = [operation, version, Number(versionExplicit), status, units, fault, fields, refused, facts]
      return this.#byText.getOrInsertComputed(JSON.stringify(kind), () => this.list.push(kind) - 1)
    })
  }
}

/** Yields the calls of a stored block, the newest first. */
export function* readCalls(block: RequestBlockRow): Generator<LoggedRow> {
  const kinds = JSON.parse(block.kinds) as Kind[]
  const stored = { from_ms: Number(block.from_ms), to_ms: Number(block.to_ms), calls: block.calls }
  for (const { kind, ...call } of readBlock(stored)) {
    const [operation, version, explicit, status, units, fault, fields, refused, facts] = kinds[kind]!
    const terms = { operation, version, explicit, status, units, fault, fields, refused, facts }
    yield { ...call, ...terms, key: block.key_id, partner: block.partner_id }
  }
}
