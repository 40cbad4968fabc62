import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../load/figures.ts'
import { generateLoad, type Load } from '../load/generate.ts'
import { type ClusterNode, type Side, sumMetric } from './sides.ts'

/** The load of a measurement: each node of a side gets the same number of connections. */
export interface Mix {
  readonly paths: readonly string[]
  readonly seconds: number
  readonly connections: number
  /** Number of the keys of a side that are used. */
  readonly keys: number
  /** `key`: all calls of a key reach the same node. */
  readonly routing: 'key' | 'random'
}

/** CPU time in microseconds for each request. */
export interface Measured extends Pick<Load, 'perSecond' | 'p50Ms' | 'p99Ms' | 'maxMs' | 'errors'> {
  readonly nodeUs: number
  readonly databaseUs: number
  readonly cacheUs: number
  /** Swaps of states for each decision, and decisions that were given up; of shared limits only. */
  readonly swaps: number
  readonly voided: number
}

/** CPU times in milliseconds. */
interface Cpu {
  readonly nodes: number
  readonly database: number
  readonly cache: number
}

/** Wait after a load: the fold of its calls runs within the next second and belongs to them. */
const foldMs = 1200

const noCpu: Cpu = { nodes: 0, database: 0, cache: 0 }

const readCpu = ({ nodes, database, caches }: Side): Cpu => ({
  nodes: sum(nodes.map(node => node.cpuMs())),
  database: database?.cpuMs() ?? 0,
  cache: sum(caches.map(cache => cache.cpuMs())),
})

/** Returns the CPU time of each second in which the nodes of all sides have nothing to do, by side. */
export async function measureIdle(sides: readonly Side[], seconds: number): Promise<ReadonlyMap<Side, Cpu>> {
  const before = sides.map(readCpu)
  await sleep(seconds * 1000)
  const perSecond = (side: Side, at: number): Cpu => {
    const now = readCpu(side)
    const { nodes, database, cache } = before[at]!
    return {
      nodes: (now.nodes - nodes) / seconds,
      database: (now.database - database) / seconds,
      cache: (now.cache - cache) / seconds,
    }
  }
  return new Map(sides.map((side, at) => [side, perSecond(side, at)]))
}

/**
 * Sends a load to a side. The engines serve the idle nodes of other sides meanwhile: what they take without any load is
 * subtracted.
 */
export async function measure(side: Side, mix: Mix, idle: Cpu = noCpu): Promise<Measured> {
  const { nodes } = side
  const keys = side.keys.slice(0, mix.keys)
  const keysOf = (at: number) => (mix.routing === 'key' ? keys.filter((_, i) => i % nodes.length === at) : keys)
  const before = { cpu: readCpu(side), limits: await readDecisions(side), startMs: performance.now() }
  const loads = await Promise.all(
    nodes.map(({ url }, at) => generateLoad({ ...mix, url, headers: {}, keys: keysOf(at) })),
  )
  await sleep(foldMs)
  const seconds = (performance.now() - before.startMs) / 1000
  const cpu = readCpu(side)
  const limits = await readDecisions(side)
  const requests = sum(loads.map(load => load.requests))
  const decided = Math.max(1, limits.decided - before.limits.decided)
  return {
    perSecond: sum(loads.map(load => load.perSecond)),
    p50Ms: median(loads.map(load => load.p50Ms)),
    p99Ms: Math.max(...loads.map(load => load.p99Ms)),
    maxMs: Math.max(...loads.map(load => load.maxMs)),
    errors: sum(loads.map(load => load.errors)),
    nodeUs: ((cpu.nodes - before.cpu.nodes) * 1000) / requests,
    databaseUs: ((cpu.database - before.cpu.database - idle.database * seconds) * 1000) / requests,
    cacheUs: ((cpu.cache - before.cpu.cache - idle.cache * seconds) * 1000) / requests,
    swaps: (limits.swaps - before.limits.swaps) / decided,
    voided: limits.voided - before.limits.voided,
  }
}

async function readDecisions({ nodes }: Side) {
  const read = async (name: string, labels = '') =>
    sum(await Promise.all(nodes.map((node: ClusterNode) => sumMetric(node, name, labels))))
  return {
    swaps: await read('periplus_limit_swaps_total'),
    decided: await read('periplus_limit_decisions_total'),
    voided: await read('periplus_limit_decisions_total', 'void'),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Measures all sides in each round, and starts each round with another side; returns the rounds by side. */
export async function alternate(
  sides: readonly Side[],
  rounds: number,
  measureOne: (side: Side) => Promise<Measured>,
): Promise<ReadonlyMap<Side, readonly Measured[]>> {
  const found = new Map(sides.map(side => [side, [] as Measured[]]))
  for (let round = 0; round < rounds; round++)
    for (const at of sides.keys()) {
      const side = sides[(at + round) % sides.length]!
      found.get(side)!.push(await measureOne(side))
    }
  return found
}

/** Returns the medians of a side, and of its ratios to the base in the same round. */
export function describe(name: string, rounds: readonly Measured[], base: readonly Measured[]) {
  const medianOf = (pick: (one: Measured, first: Measured) => number, digits: number) =>
    Number(median(rounds.map((one, i) => pick(one, base[i]!))).toFixed(digits))
  return {
    side: name,
    'req/s': medianOf(({ perSecond }) => perSecond, 0),
    'req/s × base': medianOf((one, first) => one.perSecond / first.perSecond, 2),
    'node µs': medianOf(({ nodeUs }) => nodeUs, 1),
    'node µs over base': medianOf((one, first) => one.nodeUs - first.nodeUs, 1),
    'base ÷ node CPU': medianOf((one, first) => first.nodeUs / one.nodeUs, 2),
    'PostgreSQL µs': medianOf(({ databaseUs }) => databaseUs, 1),
    'cache µs': medianOf(({ cacheUs }) => cacheUs, 1),
    swaps: medianOf(({ swaps }) => swaps, 2),
    'p50 ms': medianOf(({ p50Ms }) => p50Ms, 2),
    'p50 ms over base': medianOf((one, first) => one.p50Ms - first.p50Ms, 2),
    'p99 ms': medianOf(({ p99Ms }) => p99Ms, 1),
    'max ms': medianOf(({ maxMs }) => maxMs, 0),
    errors: sum(rounds.map(({ errors }) => errors)),
    void: sum(rounds.map(({ voided }) => voided)),
  }
}
