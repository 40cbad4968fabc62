/**
 * Measures a service on one machine next to a cluster, in alternating rounds of real processes: requests per second,
 * and CPU time of nodes, PostgreSQL and the cache for each request. Nodes share the first core; engines and load share
 * the second one.
 *   npm run bench -- cluster [--only hot,uniform,search,miss,lone,busy,nodes,reads,decisions,import]
 *                            [--places FILE] [--seconds 2] [--rounds 5] [--connections 16]
 * hot, uniform and search: the data folder (the base), PostgreSQL as the store, and also limits shared through Valkey
 * or Redis and through PostgreSQL; 1,000 places, or all. miss: all places, without any cache. lone: one caller at a
 * time. busy: one key on all nodes, for the longest wait. nodes: two nodes compared with one (the base), routed by key
 * and at random; also two clusters of one node, which have nothing in common but their cores: what sharing these costs.
 * reads, decisions: what one read of a place and one decision take, in this process. The engines are programs that are
 * installed, or that PERIPLUS_TEST_PG and PERIPLUS_TEST_VALKEY name. CPU ratios are comparable on a busy machine;
 * requests per second are not.
 */
import { measureDecisions } from './cluster/decisions.ts'
import { listMissing, startEngine } from './cluster/engines.ts'
import { measureImports } from './cluster/imports.ts'
import { alternate, describe, type Mix, measure, measureIdle } from './cluster/measure.ts'
import { createMixes } from './cluster/mixes.ts'
import { measureReads } from './cluster/reads.ts'
import { Inventory, type Side, stopSide } from './cluster/sides.ts'
import { flag } from './load/figures.ts'
import { samplePlaces } from './load/folder.ts'

const seconds = Number(flag('seconds', '2'))
const rounds = Number(flag('rounds', '5'))
const connections = Number(flag('connections', '16'))
const file = flag('places', samplePlaces)
const wanted = flag('only', 'hot,uniform,search,lone,busy,nodes,miss,reads,decisions,import').split(',')

const missing = listMissing(['pg', 'valkey'])
if (missing.length > 0) {
  console.log(`${missing.join(' ')} A cluster cannot be measured without it.`)
  process.exit(0)
}

const isWanted = (name: string) => wanted.includes(name)
const database = await startEngine('pg')

if (isWanted('decisions'))
  for (const engine of ['valkey', 'pg'] as const) console.table(await measureDecisions(engine, connections, rounds))
if (isWanted('import')) console.table([await measureImports(database, file, Math.min(rounds, 3))])

const served = ['hot', 'uniform', 'search', 'lone', 'busy', 'nodes', 'miss', 'reads']
if (served.some(isWanted)) {
  const inventory = new Inventory(database)
  const places = await inventory.fill(file)
  if (isWanted('reads')) {
    const read = (width: number) => measureReads(database, { url: inventory.url, places, width, rounds })
    console.table([await read(connections), await read(4 * connections)])
  }
  const mixes = createMixes({ places, seconds, connections }, isWanted)
  await compare(mixes.stores, async () => [
    await inventory.startEmbedded('data folder'),
    await inventory.startNodes('PostgreSQL'),
    await inventory.startNodes('PostgreSQL, limits in the cache', { hasCache: true }),
    await inventory.startNodes('PostgreSQL, limits there, too', { settings: { PERIPLUS_LIMITS_SHARED: 'postgres' } }),
  ])
  await compare(mixes.nodes, async () => [
    await inventory.startNodes('one node', { hasCache: true }),
    await inventory.startNodes('two nodes', { hasCache: true, nodes: 2 }),
    await inventory.startTwoClusters('two clusters'),
  ])
  const uncached = { PERIPLUS_CACHE_PACKED: 'never', PERIPLUS_CACHE_LOCATIONS: '1' }
  await compare(mixes.misses, async () => [
    await inventory.startEmbedded('data folder', uncached),
    await inventory.startNodes('PostgreSQL', { settings: uncached }),
  ])
  await inventory.close()
}
await database.stop()

/** Starts sides, measures each mix on them, and prints a table of each. */
async function compare(mixes: Readonly<Record<string, Mix>>, start: () => Promise<readonly Side[]>): Promise<void> {
  if (Object.keys(mixes).length === 0) return
  const sides = await start()
  const warmUp = Object.values(mixes)[0]!
  for (const side of sides) await measure(side, warmUp)
  const idle = await measureIdle(sides, Math.max(2, seconds))
  for (const [side, { nodes, database: store, cache }] of idle)
    console.log(
      `Without load, ${side.name}: ${nodes.toFixed(0)} ms of CPU a second. All nodes together: ` +
        `${store.toFixed(0)} ms in PostgreSQL, ${cache.toFixed(0)} ms in the cache.`,
    )
  for (const [name, mix] of Object.entries(mixes)) {
    for (const side of sides) await measure(side, mix)
    const found = await alternate(sides, rounds, side => measure(side, mix, idle.get(side)!))
    const base = found.get(sides[0]!)!
    console.log(`\n${name}: ${rounds} rounds of ${mix.seconds} s, ${mix.connections} connections to each node`)
    console.table(sides.map(side => describe(side.name, found.get(side)!, base)))
  }
  for (const side of sides) await stopSide(side)
}
