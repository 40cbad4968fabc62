import { Limits, limitDefaults } from '../../packages/server/src/access/limits.ts'
import { fault } from '../../packages/server/src/domain/fault.ts'
import type { LimitStates } from '../../packages/server/src/domain/limit-states.ts'
import type { CallLimits } from '../../packages/server/src/limits/call-limits.ts'
import { createCall, createMemoryRecorder } from '../../packages/server/src/limits/limits.fixture.ts'
import { LocalCallLimits } from '../../packages/server/src/limits/local/local-calls.ts'
import { Rounds } from '../../packages/server/src/limits/shared/rounds.ts'
import { systemScheduler } from '../../packages/server/src/limits/shared/scheduler.ts'
import { SharedCallLimits } from '../../packages/server/src/limits/shared/shared-calls.ts'
import { migratePostgres } from '../../packages/server/src/store/postgres/migrate.ts'
import { postgresMigrations } from '../../packages/server/src/store/postgres/migrations/all.ts'
import { PostgresPool, servingTimeouts, workTimeouts } from '../../packages/server/src/store/postgres/pool.ts'
import { PostgresLimitStates } from '../../packages/server/src/store/postgres/shared-states.ts'
import { parseValkeyUrl } from '../../packages/server/src/store/valkey/address.ts'
import { ValkeyLimitStates } from '../../packages/server/src/store/valkey/limit-states.ts'
import { median } from '../load/figures.ts'
import { type MeasuredEngine, startEngine } from './engines.ts'

const callsPerRound = 40_000
const keys = 64
const epoch = 1000

const { recorder, records } = createMemoryRecorder()
const numbers = { rate: 1_000_000, burst: 1_000_000, quota: 1_000_000_000 }
const calls = Array.from({ length: keys }, (_, i) => createCall('getLocation', numbers, { id: `key_${i}` }))

/** A node in this process: its limits, and the part that counts trips. */
interface LimitNode {
  readonly limits: CallLimits
  readonly rounds?: Rounds
}

interface Cost {
  readonly nodeUs: number
  readonly engineUs: number
  /** States that were sent to the engine, for each call. */
  readonly trips: number
  readonly voided: number
}

/**
 * Measures calls with shared limits in this process: open, decide, settle and record, without HTTP and journal. `width`
 * calls are at work at once. By key, one node has all calls of a key; at random, any of two nodes has each.
 */
export async function measureDecisions(name: 'valkey' | 'pg', width: number, rounds: number) {
  const engine = await startEngine(name)
  const states = [await openStates(engine, name), await openStates(engine, name)]
  await states[0]!.identity()
  await states[1]!.identity()
  await states[0]!.raiseEpoch(undefined, epoch)
  const renewal = setInterval(() => void states[0]!.raiseEpoch(epoch, epoch), 1000)
  const nodes = states.map(shareLimits)
  const embedded: LimitNode[] = [{ limits: new LocalCallLimits('package', new Limits(), recorder) }]
  const subjects = [
    { calls: 'embedded', nodes: embedded },
    { calls: `${name}, by key`, nodes: nodes.slice(0, 1) },
    { calls: `${name}, at random`, nodes },
  ]
  const found = subjects.map(() => [] as Cost[])
  for (const subject of subjects) await measure(subject.nodes, width, engine)
  for (let round = 0; round < rounds; round++)
    for (const [i, subject] of subjects.entries()) found[i]!.push(await measure(subject.nodes, width, engine))
  clearInterval(renewal)
  for (const opened of states) await opened.close()
  await engine.stop()
  return subjects.map((subject, i) => ({
    decisions: subject.calls,
    'node µs': toTenths(found[i]!.map(({ nodeUs }) => nodeUs)),
    'node µs over embedded': toTenths(found[i]!.map(({ nodeUs }, at) => nodeUs - found[0]![at]!.nodeUs)),
    'engine µs': toTenths(found[i]!.map(({ engineUs }) => engineUs)),
    trips: Number(median(found[i]!.map(({ trips }) => trips)).toFixed(2)),
    void: found[i]!.reduce((sum, { voided }) => sum + voided, 0),
  }))
}

const toTenths = (values: readonly number[]): number => Number(median(values).toFixed(1))

async function measure(nodes: readonly LimitNode[], width: number, engine: MeasuredEngine): Promise<Cost> {
  records.length = 0
  const [sentBefore, voidBefore] = [countSent(nodes), countVoid(nodes)]
  const engineMs = engine.cpuMs()
  const start = process.cpuUsage()
  let made = 0
  // Each starts its next call when the last one has ended, as connections do.
  const call = async () => {
    while (made < callsPerRound) await makeCall(nodes[Math.floor(Math.random() * nodes.length)]!.limits, made++)
  }
  await Promise.all(Array.from({ length: width }, call))
  const { user, system } = process.cpuUsage(start)
  return {
    nodeUs: (user + system) / made,
    engineUs: nodes[0]!.rounds ? ((engine.cpuMs() - engineMs) * 1000) / made : 0,
    trips: (countSent(nodes) - sentBefore) / made,
    voided: countVoid(nodes) - voidBefore,
  }
}

const countSent = (nodes: readonly LimitNode[]): number =>
  nodes.reduce((sum, { rounds }) => sum + (rounds ? rounds.counters.swaps + rounds.counters.gets : 0), 0)

const countVoid = (nodes: readonly LimitNode[]): number =>
  nodes.reduce((sum, { rounds }) => sum + (rounds?.counters.voided ?? 0), 0)

async function makeCall(limits: CallLimits, i: number): Promise<void> {
  const ticket = await limits.open(calls[i % keys]!)
  const { record } = await ticket.settle({ status: 200, entities: 1 })
  record?.conclude(await record.written)
}

function shareLimits(states: LimitStates): LimitNode {
  const rounds: Rounds = new Rounds({
    states,
    settings: limitDefaults,
    scheduler: systemScheduler,
    lineUs: () => recorder.nowUs() + Math.floor(performance.now() * 1000),
    readSeeds: async () => new Map(),
    onUnreadable: () => {},
    // On a busy machine, an engine may not answer in time; the calls that waited are void.
    onLost: () => rounds.enter(epoch),
  })
  rounds.enter(epoch)
  const refuseVoid = () => fault('metering_unavailable')
  return { limits: new SharedCallLimits('package', { rounds, recorder, alone: () => undefined, refuseVoid }), rounds }
}

async function openStates({ url }: MeasuredEngine, name: 'valkey' | 'pg'): Promise<LimitStates> {
  if (name === 'valkey') {
    const address = parseValkeyUrl(url)
    if (typeof address === 'string') throw new Error(address)
    return new ValkeyLimitStates({ address, clusterId: 'bench' })
  }
  const pool = new PostgresPool({ url, connections: 1, timeouts: workTimeouts })
  await migratePostgres(pool, postgresMigrations).finally(() => pool.close())
  return new PostgresLimitStates(new PostgresPool({ url, connections: 2, timeouts: servingTimeouts }))
}
