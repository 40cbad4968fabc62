import { afterAll, expect, test } from 'vitest'
import { computeGrant } from '../src/access/grant.ts'
import { Limits } from '../src/access/limits.ts'
import { createTimeline } from '../src/access/timeline.ts'
import { createTestKey } from '../src/domain/key.fixture.ts'
import type { Operation, OperationMeter } from '../src/domain/operation.ts'
import { routes } from '../src/http/partner/routes.ts'
import { Traffic } from '../src/http/wire/traffic.ts'
import { whenRecorded } from '../src/limits/call-limits-suite.fixture.ts'
import { CallRecorder } from '../src/limits/call-recorder.ts'
import { LocalCallLimits } from '../src/limits/local/local-calls.ts'
import { createSqliteLedger } from '../src/store/sqlite/ledger.ts'
import { controlMigrations } from '../src/store/sqlite/migrations/control.ts'
import { openSqlite } from '../src/store/sqlite/open.ts'
import { checkLedger } from '../src/usage/check-ledger.ts'
import { foldJournal } from '../src/usage/fold.ts'
import { Journal } from '../src/usage/journal.ts'
import { journalIn } from '../src/usage/journal-reader.ts'
import { readLedgerCheckInput } from '../src/usage/read-ledger-check.ts'
import { configFor, scratch } from './world.ts'

const folder = scratch()
afterAll(folder.remove)

const keyCount = 10_000
const burst = 3
const quota = 7

test('admits for each of 10,000 concurrent keys exactly what its own limits allow (issue C; R-05, R-08)', async () => {
  const config = configFor(folder.path)
  const clock = { atUs: 1_000_000, nowMs: () => 1_800_000_000_000 + clock.atUs / 1000, monotonicUs: () => clock.atUs }
  const journal = new Journal(folder.path)
  const recorder = new CallRecorder({
    timeline: createTimeline({ wallMs: clock.nowMs(), monotonicUs: clock.atUs }),
    journal,
    clock,
    counters: new Traffic([]),
    meters: Object.fromEntries(
      routes.map(({ operation, meter }) => [operation, { meter, weight: 1 }]),
    ) as unknown as Record<Operation, OperationMeter>,
  })
  const limits = new LocalCallLimits('package', new Limits(), recorder)
  const callers = Array.from({ length: keyCount }, (_, i) => {
    const key = createTestKey({
      id: `key_${i}`,
      partnerId: `partner_${i % 10}`,
      agreement: { rate: 1, burst, quota },
    })
    return { key, grant: computeGrant(key, config), served: 0, units: 0, calls: 0 }
  })
  const written: Promise<unknown>[] = []
  const call = (i: number, entities: number) => {
    const caller = callers[i]!
    const ticket = limits.open({
      requestId: `${i}-${++caller.calls}`,
      operation: 'getLocations',
      version: '1',
      versionExplicit: false,
      key: caller.key,
      secretId: '1',
      limits: caller.grant.limits,
    })
    const settled = ticket.settle({ status: ticket.refusal ? 429 : 200, entities })
    const answered = whenRecorded(settled).then(({ refusal }) => {
      if (ticket.refusal || refusal) return
      caller.served++
      caller.units += entities
    })
    written.push(answered)
  }
  // All at once: each key gets its burst. 7919 is coprime to the number of keys, so the order mixes the keys.
  for (let n = 0; n < keyCount * 4; n++) call((n * 7919) % keyCount, 1)
  await Promise.all(written)
  expect(callers.filter(({ served }) => served !== burst)).toEqual([])
  // Later, the quota: 4 of 7 units are left, which admits two of three calls of 2 units, and no further unit.
  clock.atUs += 10_000_000
  for (let n = 0; n < keyCount * 3; n++) call((n * 7919) % keyCount, 2)
  await Promise.all(written)
  expect(callers.filter(({ units }) => units !== quota)).toEqual([])
  clock.atUs += 10_000_000
  for (let n = 0; n < keyCount; n++) call(n, 1)
  await Promise.all(written)
  expect(callers.filter(({ units }) => units !== quota)).toEqual([])

  await journal.close()
  const control = openSqlite(`${folder.path}/control.sqlite`, controlMigrations, {
    create: true,
    synchronous: 'NORMAL',
  })
  const ledger = createSqliteLedger(control)
  await foldJournal(journalIn(folder.path), ledger)
  const input = await readLedgerCheckInput(journalIn(folder.path), ledger)
  expect(checkLedger(input)).toEqual([])
  expect(input.states).toHaveLength(keyCount)
  expect(input.states.filter(({ used }) => used !== quota)).toEqual([])
  control.close()
})
