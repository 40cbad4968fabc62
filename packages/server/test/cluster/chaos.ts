/**
 * Runs a cluster on loopback through random faults, under load, and checks every call afterwards:
 *   npm run soak:cluster -- [--seconds 60] [--nodes 3] [--seed N] [--max-fault-ms 3500] [--pause-ms 1700]
 *     [--when-down share] [--faults 'node killed,store promoted'] [--lose-seeds]
 * The seed is printed; the same seed makes the same faults and requests, but not the same moments. `--faults` names the
 * faults that occur: with an unknown name, all names are printed. Some occur only if they are named: `cache promoted`,
 * for which the cache has two replicas, `store promoted` and `store restored`. `--lose-seeds` removes the states of the
 * ledger whenever the cache has lost its own: the checks must then find wrong units.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src/kit/random.ts'
import { check, type Findings } from './check.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { FaultNotes } from './faults/context.ts'
import { Faults } from './faults.ts'
import { Pauses } from './pauses.ts'
import { Traffic } from './traffic.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    nodes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    'max-fault-ms': { type: 'string', default: '3500' },
    'pause-ms': { type: 'string', default: '1700' },
    'when-down': { type: 'string', default: 'share' },
    faults: { type: 'string' },
    'lose-seeds': { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed)
const names = values.faults?.split(',').map(name => name.trim())

const startMs = performance.now()
const print = (text: string): void =>
  console.log(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} ${text}`)

/** Lets things fail for the time of the run, sometimes two at once. */
async function failFor(faults: Faults, random: () => number): Promise<void> {
  const endMs = performance.now() + seconds * 1000
  const pauseMs = Number(values['pause-ms'])
  const running = new Set<Promise<void>>()
  while (performance.now() < endMs) {
    const fault = faults.fail()
    running.add(fault)
    void fault.finally(() => running.delete(fault))
    if (random() < 0.7) await Promise.all(running)
    await sleep(pauseMs / 8 + random() * (pauseMs - pauseMs / 8))
  }
  await Promise.all(running)
}

async function run(cluster: Cluster): Promise<Findings> {
  const { nodes, cache, store, keys, openings } = cluster
  const random = createRandom(seed)
  const pauses = new Pauses(nodes)
  const traffic = new Traffic({
    targets: nodes,
    ...keys,
    random: createRandom(seed + 1),
    onResponse: (target, status) => pauses.note(target, status),
  })
  const notes: FaultNotes = { kills: 0, lostEpochs: [], lives: 0, flushes: 0, setbacks: 0, violations: [] }
  const onCacheLost = values['lose-seeds'] ? () => cluster.loseSeeds() : async () => {}
  const below = (n: number) => Math.floor(n * random())
  const context = { nodes, cache, store, traffic, openings, notes, below, print, onCacheLost }
  const faults = new Faults(context, { maxMs: Number(values['max-fault-ms']), names })
  traffic.start()
  await failFor(faults, random)
  print('All faults have ended.')
  await cluster.whenJoined()
  print('All nodes have joined.')
  await traffic.stop()
  await traffic.exhaust()
  print('All quotas are used up.')
  await cluster.stopNodes()
  const losses = { ...notes, epochs: notes.lostEpochs, faults: faults.total }
  const found = check({ ...(await cluster.readEvidence()), clients: traffic.counts, losses })
  print(`Faults: ${list(faults.counts)}; ${notes.kills} kills.`)
  print(`Responses: ${list(traffic.outcomes)}.`)
  print(`Without a response of 200 or 429: ${pauses.report()}.`)
  const { admitted, late, alone, epochs } = found
  print(`${admitted} calls were admitted in ${epochs} epochs, ${alone} of them alone, ${late} late.`)
  return { ...found, violations: [...found.violations, ...notes.violations, ...checkEnds(cluster, notes)] }
}

/** A process may end only because a database that has lost commits does not know it any more. */
const checkEnds = ({ nodes }: Cluster, { setbacks }: FaultNotes): string[] =>
  setbacks > 0
    ? []
    : nodes.flatMap(({ parts, unexpectedEnds }) => unexpectedEnds.map(end => `${parts.name} has ended: ${end}`))

const list = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ')

print(`Seed ${seed}.`)
const folder = mkdtempSync(join(tmpdir(), 'periplus-chaos-'))
const cluster = await startCluster({
  folder,
  nodes: Number(values.nodes),
  whenDown: values['when-down'],
  quotaKeys: 20 + Math.ceil(seconds / 2),
  hasReplicas: names?.includes('cache promoted') ?? false,
  print,
})
try {
  const { violations } = await run(cluster)
  for (const violation of violations) console.error(violation)
  const isWrong = violations.length > 0
  print(isWrong ? `${violations.length} units or calls are wrong.` : 'Every unit is right.')
  process.exitCode = isWrong === values['lose-seeds'] ? 0 : 1
} catch (error) {
  for (const { parts, log } of cluster.nodes) console.error(`${parts.name}:\n${log.slice(-5000)}`)
  throw error
} finally {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
