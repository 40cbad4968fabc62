/**
 * Measures the request log: CPU time and bytes a call of filling it from the journal in batches of one second; CPU time
 * of pages, of pages with a filter that few or no calls match, and of finding a call by its id; and deletion by size
 * and by age, in batches. Ten million calls need 1 GB of disk and some minutes.
 *   npm run bench -- request-log [--calls 500000] [--keys 6] [--second 2000]
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operationNames } from '../packages/server/src/domain/operation.ts'
import type { CallQuery } from '../packages/server/src/domain/request-log.ts'
import type { RecordedFault, UsageRecord } from '../packages/server/src/domain/usage.ts'
import { openEngine } from '../packages/server/src/store/engine.ts'
import { RequestLogFill } from '../packages/server/src/usage/fill-request-log.ts'
import { Journal } from '../packages/server/src/usage/journal.ts'
import { journalIn } from '../packages/server/src/usage/journal-reader.ts'
import { record } from '../packages/server/src/usage/records.fixture.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500000' },
    keys: { type: 'string', default: '6' },
    second: { type: 'string', default: '2000' },
  },
})
const [calls, keys, perSecond] = [Number(values.calls), Number(values.keys), Number(values.second)]
const startMs = Date.now() - (calls / perSecond) * 1000

const folder = mkdtempSync(join(tmpdir(), 'periplus-request-log-'))
const engine = openEngine({ kind: 'sqlite', folder }, { create: true })
const log = await engine.openRequestLogWriter()
const fill = new RequestLogFill({
  journal: journalIn(folder),
  ledger: engine.ledger,
  log,
  nowMs: Date.now,
  keepMs: 14 * 86_400_000,
  maxBytes: 2 ** 40,
})

/** A request id with a time, as the service makes them. */
function idAt(ms: number, i: number): string {
  const hex = Math.floor(ms).toString(16).padStart(12, '0')
  const random = (Math.imul(i, 2_654_435_761) >>> 0).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${random.slice(0, 3)}-8000-${random}`
}

/** Returns true for the oldest calls of each key, whose operation, status or fault no other calls have. */
const isRare = (i: number): boolean => i < keys * 2

/** One call of a key; one of twenty is refused. */
function callAt(i: number): UsageRecord {
  const timeMs = Math.floor(startMs + (i / perSecond) * 1000)
  const key = `key_0198c0de-0000-7000-8000-00000000000${i % keys}`
  const isRefused = i % 20 === 0 && !isRare(i)
  return record({
    requestId: idAt(timeMs, i),
    timeMs,
    keyId: key,
    subject: key,
    operation: isRare(i) ? 'getFeedManifest' : operationNames[i % 9]!,
    ...(isRare(i) && i < keys && { status: 404, fault: notFound }),
    ...(isRefused && {
      status: 429,
      units: 0,
      refusedBy: ['rate'],
      fault: {
        code: 'rate_limited',
        fields: [],
        policies: ['"rate";q=10;w=1'],
        keyRevision: 3,
        retryAfterS: 1,
        cost: 1,
      },
    }),
  })
}

const notFound: RecordedFault = { code: 'location_unknown', fields: [], policies: [], keyRevision: 3 }

const cpuMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

let filledMs = 0
const journal = new Journal(folder, { known: await engine.ledger.files() })
for (let i = 0; i < calls; i += perSecond) {
  const part = Array.from({ length: Math.min(perSecond, calls - i) }, (_, at) => callAt(i + at))
  await Promise.all(part.map(one => journal.append(one)))
  const before = process.cpuUsage()
  await fill.run()
  filledMs += cpuMs(before)
}
await journal.close()

/** Returns the median CPU time of a query, in milliseconds. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  await work()
  const times: number[] = []
  for (let i = 0; i < 51; i++) {
    const before = process.cpuUsage()
    await work()
    times.push(cpuMs(before))
  }
  return times.sort((a, b) => a - b)[25]!
}

const everything = { all: true } as const
const list = (query: Partial<CallQuery>) => engine.requests.list({ visibility: everything, limit: 50, ...query })
const keyId = callAt(1).keyId
const middle = await list({ keyId, toMs: startMs + ((calls / perSecond) * 1000) / 2 })
const queries: Readonly<Record<string, () => Promise<unknown>>> = {
  'newest 50 of one key': () => list({ keyId }),
  'newest 50 of all keys': () => list({}),
  'newest 50 with status 4xx of one key': () => list({ keyId, statusFrom: 400, statusTo: 499 }),
  'newest 50 of a frequent operation of one key': () => list({ keyId, operation: callAt(keys * 9 + 1).operation }),
  'newest 50 of a frequent operation of all keys': () => list({ operation: callAt(keys * 9 + 1).operation }),
  'newest 50 of a rare operation of one key': () => list({ keyId, operation: callAt(keys + 1).operation }),
  'newest 50 of a rare operation of all keys': () => list({ operation: callAt(keys + 1).operation }),
  'newest 50 with a rare status of all keys': () => list({ status: 404 }),
  'newest 50 with a rare fault of all keys': () => list({ fault: 'location_unknown' }),
  'newest 50 with a fault that no call has': () => list({ fault: 'draining' }),
  'page from the middle of one key': () => list({ keyId, after: middle.next }),
  'call by its id': () => engine.requests.find(callAt(Math.floor(calls / 2)).requestId, everything),
  'unknown id': () => engine.requests.find(idAt(startMs + 1000, calls + 7), everything),
}
const times: Record<string, string> = {}
for (const [name, query] of Object.entries(queries)) times[name] = `${(await measure(query)).toFixed(3)} ms`

/** Size of the log with the pages that SQLite has not merged yet. */
const sizeOf = () =>
  readdirSync(folder).flatMap(name => (name.startsWith('requests.sqlite') ? [statSync(join(folder, name)).size] : []))
const logBytes = () => sizeOf().reduce((sum, bytes) => sum + bytes, 0)
const size = logBytes()
const diskBytes = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter(one => one.isFile())
  .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** Deletes in batches, and returns the CPU time of all and the longest of them, and the size that remains. */
async function prune(beforeMs: number, maxBytes: number) {
  let [total, longest, batches] = [0, 0, 0]
  for (let hasMore = true; hasMore; batches++) {
    const before = process.cpuUsage()
    hasMore = await log.prune({ beforeMs, maxBytes })
    const ms = cpuMs(before)
    total += ms
    longest = Math.max(longest, ms)
  }
  const oldest = await oldestMs()
  return `${batches} batches, ${total.toFixed(0)} ms of CPU, the longest ${longest.toFixed(0)} ms; ${(logBytes() / 1e6).toFixed(1)} MB remain, the oldest call of ${oldest}`
}

/** Returns the time of the oldest call, in seconds before the end. */
async function oldestMs(): Promise<string> {
  const endMs = startMs + (calls / perSecond) * 1000
  let [low, high] = [startMs, endMs]
  while (high - low > 1000) {
    const toMs = Math.floor((low + high) / 2)
    const { rows } = await list({ toMs, limit: 1 })
    if (rows.length === 0) low = toMs
    else high = toMs
  }
  return `${((endMs - low) / 1000).toFixed(0)} s before the end`
}

console.log(
  `filling: ${((filledMs * 1000) / calls).toFixed(2)} µs of CPU and ${(size / calls).toFixed(1)} bytes a call; ${(diskBytes / 1e6).toFixed(0)} MB on disk with the journal`,
)
console.table(times)
console.log(`deletion of the older half by size: ${await prune(0, size / 2)}`)
console.log(
  `deletion of all but the last tenth by age: ${await prune(startMs + (calls / perSecond) * 900, Number.MAX_SAFE_INTEGER)}`,
)
await log.close()
await engine.close()
rmSync(folder, { recursive: true })
