/**
 * Measures the request log: CPU time and bytes a call of filling it from the journal in batches of one second, and CPU
 * time of the newest page of one key, of all keys, of failed calls, and of finding a call by its id.
 *   npm run bench -- request-log [--calls 500000] [--keys 6] [--second 2000]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operationNames } from '../packages/server/src/domain/operation.ts'
import type { CallQuery } from '../packages/server/src/domain/request-log.ts'
import type { UsageRecord } from '../packages/server/src/domain/usage.ts'
import { openEngine } from '../packages/server/src/store/engine.ts'
import { RequestLogFill } from '../packages/server/src/usage/fill-request-log.ts'
import { Journal } from '../packages/server/src/usage/journal.ts'
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
  folder,
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

/** One call of a key; one of twenty is refused. */
function callAt(i: number): UsageRecord {
  const timeMs = Math.floor(startMs + (i / perSecond) * 1000)
  const key = `key_0198c0de-0000-7000-8000-00000000000${i % keys}`
  const isRefused = i % 20 === 0
  return record({
    requestId: idAt(timeMs, i),
    timeMs,
    keyId: key,
    subject: key,
    operation: operationNames[i % 9]!,
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
const queries: Readonly<Record<string, () => Promise<unknown>>> = {
  'newest 50 of one key': () => list({ keyId }),
  'newest 50 of all keys': () => list({}),
  'newest 50 with status 4xx of one key': () => list({ keyId, statusFrom: 400, statusTo: 499 }),
  'call by its id': () => engine.requests.find(callAt(Math.floor(calls / 2)).requestId, everything),
  'unknown id': () => engine.requests.find(idAt(startMs + 1000, calls + 7), everything),
}
const times: Record<string, string> = {}
for (const [name, query] of Object.entries(queries)) times[name] = `${(await measure(query)).toFixed(3)} ms`

await log.close()
const { size } = statSync(join(folder, 'requests.sqlite'))
await engine.close()
rmSync(folder, { recursive: true })
console.log(
  `filling: ${((filledMs * 1000) / calls).toFixed(2)} µs of CPU and ${(size / calls).toFixed(1)} bytes a call`,
)
console.table(times)
