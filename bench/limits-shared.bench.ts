/**
 * Measures calls whose limits several nodes share, in process: open, decide, settle and record, without HTTP and
 * journal. Compares the embedded limits with the states in Valkey or Redis (PERIPLUS_TEST_VALKEY) and in PostgreSQL
 * (PERIPLUS_TEST_PG), in alternating rounds: CPU of the node and of the engine for a call, and trips.
 *   npm run bench -- limits-shared [--width 16] [--rounds 3]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Limits, limitDefaults } from '../packages/server/src/access/limits.ts'
import { fault } from '../packages/server/src/domain/fault.ts'
import type { LimitStates } from '../packages/server/src/domain/limit-states.ts'
import type { CallLimits } from '../packages/server/src/limits/call-limits.ts'
import { createCall, createMemoryRecorder } from '../packages/server/src/limits/limits.fixture.ts'
import { LocalCallLimits } from '../packages/server/src/limits/local/local-calls.ts'
import { Rounds } from '../packages/server/src/limits/shared/rounds.ts'
import { systemScheduler } from '../packages/server/src/limits/shared/scheduler.ts'
import { SharedCallLimits } from '../packages/server/src/limits/shared/shared-calls.ts'
import { migratePostgres } from '../packages/server/src/store/postgres/migrate.ts'
import { postgresMigrations } from '../packages/server/src/store/postgres/migrations/all.ts'
import { PostgresPool, servingTimeouts, workTimeouts } from '../packages/server/src/store/postgres/pool.ts'
import { PostgresLimitStates } from '../packages/server/src/store/postgres/shared-states.ts'
import { parseValkeyUrl } from '../packages/server/src/store/valkey/address.ts'
import { ValkeyLimitStates } from '../packages/server/src/store/valkey/limit-states.ts'
import { findEngine } from '../packages/server/test/setup/find-engines.ts'
import { type RunningEngine, runPostgres, runValkey } from '../packages/server/test/setup/run-engine.ts'

const { values } = parseArgs({
  options: { width: { type: 'string', default: '16' }, rounds: { type: 'string', default: '3' } },
})
const width = Number(values.width)
const callsPerRound = 40_000
const keys = 64
/** Clock ticks of the kernel, in microseconds. */
const tickUs = 10_000

const { recorder, records } = createMemoryRecorder()
const numbers = { rate: 1_000_000, burst: 1_000_000, quota: 1_000_000_000 }
const calls = Array.from({ length: keys }, (_, i) => createCall('getLocation', numbers, { id: `key_${i}` }))

/** Returns the CPU time of a process and its children, in microseconds. */
function readCpuUs(pid: number): number {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const stats = pids.map(name => readStat(name)).filter(stat => stat.pid === pid || stat.parent === pid)
  return stats.reduce((sum, { ticks }) => sum + ticks * tickUs, 0)
}

function readStat(name: string): { readonly pid: number; readonly parent: number; readonly ticks: number } {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return { pid: 0, parent: 0, ticks: 0 }
  }
}

async function makeCall(limits: CallLimits, i: number): Promise<void> {
  const ticket = await limits.open(calls[i % keys]!)
  const { record, refusal } = await ticket.settle({ status: 200, entities: 1 })
  if (refusal) throw new Error(refusal.detail)
  record?.conclude(await record.written)
}

/** Measures calls, `width` at a time; returns microseconds of CPU for each. */
async function measure(limits: CallLimits, pid: number | undefined) {
  records.length = 0
  const engineUs = pid === undefined ? 0 : readCpuUs(pid)
  const start = process.cpuUsage()
  for (let made = 0; made < callsPerRound; made += width)
    await Promise.all(Array.from({ length: width }, (_, i) => makeCall(limits, made + i)))
  const { user, system } = process.cpuUsage(start)
  const engine = pid === undefined ? 0 : (readCpuUs(pid) - engineUs) / callsPerRound
  return { node: (user + system) / callsPerRound, engine }
}

async function shareLimits(states: LimitStates) {
  await states.identity()
  const epoch = 1000
  await states.raiseEpoch(undefined, epoch)
  const rounds = new Rounds({
    states,
    settings: limitDefaults,
    scheduler: systemScheduler,
    lineUs: () => recorder.nowUs() + Math.floor(performance.now() * 1000),
    readSeeds: async () => new Map(),
    onLost: cause => {
      throw new Error(`The states were lost: ${cause}.`)
    },
  })
  rounds.enter(epoch)
  const refuseVoid = () => fault('metering_unavailable')
  const limits = new SharedCallLimits('package', { rounds, recorder, alone: () => undefined, refuseVoid })
  return { limits, rounds }
}

const engines: Readonly<Record<string, () => Promise<{ server: RunningEngine; states: LimitStates }>>> = {
  valkey: async () => {
    const server = await runValkey(programOf('valkey'))
    const address = parseValkeyUrl(server.url)
    if (typeof address === 'string') throw new Error(address)
    return { server, states: new ValkeyLimitStates({ address, clusterId: 'bench' }) }
  },
  postgres: async () => {
    const server = await runPostgres(programOf('pg'))
    const { url } = server
    const pool = new PostgresPool({ url, connections: 1, timeouts: workTimeouts })
    await migratePostgres(pool, postgresMigrations).finally(() => pool.close())
    return {
      server,
      states: new PostgresLimitStates(new PostgresPool({ url, connections: 2, timeouts: servingTimeouts })),
    }
  },
}

function programOf(name: 'valkey' | 'pg'): string {
  const found = findEngine(name)
  if (found === undefined || !('program' in found)) throw new Error(`This benchmark starts ${name}; name a program.`)
  return found.program
}

const local = new LocalCallLimits('package', new Limits(), recorder)
for (const [name, open] of Object.entries(engines)) {
  const { server, states } = await open()
  const { limits, rounds } = await shareLimits(states)
  await measure(limits, undefined)
  for (let round = 0; round < Number(values.rounds); round++) {
    const embedded = await measure(local, undefined)
    const { swaps, gets } = rounds.counters
    const shared = await measure(limits, server.pid)
    const trips = (rounds.counters.swaps - swaps + rounds.counters.gets - gets) / callsPerRound
    console.log(
      `${name}, ${width} at once: embedded ${embedded.node.toFixed(1)} µs of the node; ` +
        `shared ${shared.node.toFixed(1)} µs, engine ${shared.engine.toFixed(1)} µs, ${trips.toFixed(2)} trips`,
    )
  }
  await states.close()
  await server.stop()
}
