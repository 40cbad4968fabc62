/**
 * Measures the resident and heap memory of the limits of a million keys. Run it in a process of its own, with
 * --expose-gc.
 */
import { caller, createEffectiveLimits, someTimeUs } from '../../packages/server/src/access/limits.fixture.ts'
import { Limits } from '../../packages/server/src/access/limits.ts'

const keys = 1_000_000
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})
const bound = createEffectiveLimits()
const limits = new Limits()

const measure = () => {
  collect()
  collect()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return { rss, held: heapUsed + arrayBuffers }
}

// A flat string, like one from the store.
const idOf = (i: number) => Buffer.from(`key_${String(i).padStart(36, '0')}`).toString('latin1')

// The young generation grows with the first garbage; let it grow before the first measurement.
let young: string[] = []
for (let i = 0; i < 3_000_000; i++) young = i % 100_000 === 0 ? [] : [...young.slice(-3), idOf(i)]

limits.admit(caller('first'), bound, 'package', someTimeUs)
const before = measure()
let slowestMs = 0
for (let i = 0; i < keys; i++) {
  const start = performance.now()
  const outcome = limits.admit(caller(idOf(i)), bound, 'package', someTimeUs + i)
  if (!outcome.refused) outcome.charge(1, someTimeUs + i)
  slowestMs = Math.max(slowestMs, performance.now() - start)
}
const after = measure()
const mb = (bytes: number) => Math.round(bytes / 1e6)
console.log(
  JSON.stringify({
    keys: limits.subjectCounts.package,
    heldMb: mb(after.held - before.held),
    rssMb: mb(after.rss - before.rss),
    bytesPerKey: Math.round((after.held - before.held) / keys),
    slowestMs: Math.round(slowestMs),
  }),
)
