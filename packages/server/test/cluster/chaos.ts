/**
 * Runs a cluster on loopback through random faults, under load, and checks every call afterwards:
 *   npm run soak:cluster -- [--seconds 60] [--nodes 3] [--seed N] [--max-fault-ms 3500] [--when-down share]
 *     [--lose-seeds]
 * The seed is printed; the same seed makes the same faults and requests, but not the same moments. `--lose-seeds`
 * removes the states of the ledger whenever the cache has lost its own: the checks must then find wrong units.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src/kit/random.ts'
import { check, type Findings } from './check.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { Faults } from './faults.ts'
import { Pauses } from './pauses.ts'
import { Traffic } from './traffic.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    nodes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    'max-fault-ms': { type: 'string', default: '3500' },
    'when-down': { type: 'string', default: 'share' },
    'lose-seeds': { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed)

const startMs = performance.now()
const print = (text: string): void =>
  console.log(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} ${text}`)

/** Lets things fail for the time of the run, sometimes two at once. */
async function failFor(faults: Faults, random: () => number): Promise<void> {
  const endMs = performance.now() + seconds * 1000
  const running = new Set<Promise<void>>()
  while (performance.now() < endMs) {
    const fault = faults.fail()
    running.add(fault)
    void fault.finally(() => running.delete(fault))
    if (random() < 0.7) await Promise.all(running)
    await sleep(200 + random() * 1500)
  }
  await Promise.all(running)
}

async function run(cluster: Cluster): Promise<Findings> {
  const { nodes, servers, rateKeys, quotaKeys } = cluster
  const random = createRandom(seed)
  const pauses = new Pauses(nodes)
  const traffic = new Traffic({
    targets: nodes,
    rateKeys,
    quotaKeys,
    random: createRandom(seed + 1),
    onResponse: (target, status) => pauses.note(target, status),
  })
  const onCacheLost = values['lose-seeds'] ? () => cluster.loseSeeds() : async () => {}
  const maxMs = Number(values['max-fault-ms'])
  const faults = new Faults({ nodes, servers, random, maxMs, print, onCacheLost })
  traffic.start()
  await failFor(faults, random)
  print('All faults have ended.')
  await cluster.whenJoined()
  print('All nodes have joined.')
  await traffic.stop()
  await traffic.exhaust()
  print('All quotas are used up.')
  await cluster.stopNodes()
  const found = check({ ...(await cluster.readEvidence()), clients: traffic.counts })
  print(`Faults: ${list(faults.counts)}; ${faults.kills} kills.`)
  print(`Responses by status: ${list(traffic.statuses)}.`)
  print(`Without a response of 200 or 429: ${pauses.report()}.`)
  const { admitted, late, alone, epochs } = found
  print(`${admitted} calls were admitted in ${epochs} epochs, ${alone} of them alone, ${late} late.`)
  return found
}

const list = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ')

print(`Seed ${seed}.`)
const folder = mkdtempSync(join(tmpdir(), 'periplus-chaos-'))
const cluster = await startCluster({
  folder,
  nodes: Number(values.nodes),
  whenDown: values['when-down'],
  quotaKeys: 20 + Math.ceil(seconds / 2),
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
