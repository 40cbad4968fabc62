import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../src/config/load.ts'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { newPartnerTerms } from '../../src/domain/partner.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { openAdmin } from '../composed.ts'
import { execute, query } from '../databases.ts'
import { record } from '../record.ts'
import { findEngine } from '../setup/find-engines.ts'
import { freePort } from '../setup/free-port.ts'
import { runPostgres, runValkey } from '../setup/run-engine.ts'
import { actor, configFor, importRows } from '../world.ts'
import type { Evidence, KeyLimits } from './evidence.ts'
import type { Servers } from './faults.ts'
import { Link } from './link.ts'
import { ClusterNode } from './node.ts'
import { noteOpenings } from './openings.ts'
import { readEvidence } from './read-evidence.ts'
import type { TrafficKey } from './traffic.ts'

export interface ClusterOptions {
  /** Folder of all nodes. */
  readonly folder: string
  readonly nodes: number
  readonly whenDown: string
  /** Number of keys with a quota that binds. */
  readonly quotaKeys: number
}

/** A cluster on loopback, with its own PostgreSQL and Valkey. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  readonly servers: Servers
  readonly rateKeys: readonly TrafficKey[]
  readonly quotaKeys: readonly TrafficKey[]
  /** Removes the states of limits from the ledger. */
  loseSeeds(): Promise<void>
  /** Resolves when all nodes decide in the open epoch. */
  whenJoined(): Promise<void>
  /** Ends all nodes after they have folded their journals. */
  stopNodes(): Promise<void>
  readEvidence(): Promise<Omit<Evidence, 'clients'>>
  /** Ends everything. */
  stop(): Promise<void>
}

const rateLimits: KeyLimits = { rate: 3, burst: 3, quota: 1_000_000_000 }
const quotaLimits: KeyLimits = { rate: 100_000, burst: 100_000, quota: 150 }
const rateKeyCount = 6
const places = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: i, lon: i }))

/** Starts servers and nodes. */
export async function startCluster({ folder, nodes: count, whenDown, quotaKeys }: ClusterOptions): Promise<Cluster> {
  const store = await runPostgres(programOf('pg'))
  const cache = await runValkey(programOf('valkey'))
  await execute(store.url, 'CREATE DATABASE chaos')
  const database = store.url.replace(/\/postgres$/, '/chaos')
  const servers = { store, cache, database }
  const first = join(folder, 'node-1')
  const config = configFor(first, { store: database })
  await importRows(config, 'location', places)
  const keys = await createKeys(config, quotaKeys)
  await noteOpenings(database)
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs)
  const settings = {
    PERIPLUS_STORE: database,
    PERIPLUS_LIMITS_SHARED: cache.url.replace(/^redis/, 'valkey'),
    PERIPLUS_LIMITS_WHEN_DOWN: whenDown,
    PERIPLUS_BLOBS: blobs,
    PERIPLUS_SERVER_PUBLIC_URL: 'http://places.example.org',
    PERIPLUS_FEEDS_SCHEDULE: 'manual',
    PERIPLUS_SERVER_LOG_LEVEL: 'warn',
  }
  const nodes: ClusterNode[] = []
  for (let i = 1; i <= count; i++) nodes.push(await startNode(i, folder, settings, { cache, store }))
  const all = [...keys.rateKeys, ...keys.quotaKeys]
  const whenJoined = () => awaitJoined(database, nodes.length)
  await whenJoined()
  return {
    nodes,
    servers,
    ...keys,
    whenJoined,
    loseSeeds: () => execute(database, 'DELETE FROM limit_states'),
    stopNodes: async () => {
      for (const node of nodes) {
        const code = await node.stop()
        if (code !== 0) throw new Error(`${node.parts.name} has ended with ${code}:\n${node.log}`)
      }
    },
    readEvidence: async () => ({
      ...(await readEvidence(database, new Map(nodes.map(({ id, parts }) => [id, join(parts.folder, 'journal')])))),
      keys: new Map(all.map(({ id, limits }) => [id, limits])),
    }),
    stop: async () => {
      for (const node of nodes) {
        await node.kill()
        node.parts.cache.close()
        node.parts.store.close()
      }
      await servers.cache.stop()
      await servers.store.stop()
    },
  }
}

/** Starts a node behind links of its own. The first one has the pepper that the others need. */
async function startNode(
  number: number,
  folder: string,
  settings: Readonly<Record<string, string>>,
  { cache, store }: Pick<Servers, 'cache' | 'store'>,
): Promise<ClusterNode> {
  const folderOf = (of: number) => join(folder, `node-${of}`)
  const node = new ClusterNode({
    name: `node-${number}`,
    folder: folderOf(number),
    settings,
    port: await freePort(),
    ports: { cache: cache.port, store: store.port },
    cache: await Link.open(cache.port),
    store: await Link.open(store.port),
    ...(number > 1 && { pepper: join(folderOf(1), 'pepper') }),
  })
  await node.start()
  return node
}

/** Creates the keys of the traffic. */
async function createKeys(config: Config, quotaKeyCount: number): Promise<Pick<Cluster, 'rateKeys' | 'quotaKeys'>> {
  const admin = openAdmin(config)
  const partner = { id: 'chaos', name: 'Chaos', ...newPartnerTerms, createdMs: admin.clock.nowMs(), revision: 1 }
  await admin.keys.createPartner(partner, record())
  const create = async (count: number, limits: KeyLimits): Promise<TrafficKey[]> => {
    const keys: TrafficKey[] = []
    while (keys.length < count) {
      const agreement = { ...limits, searchRate: 1, searchBurst: 1, searchQuota: 1 }
      const made = await createKey(admin, actor, { partnerId: partner.id, packageName: 'discover', agreement })
      if (isAdminFault(made)) throw new Error(made.fault)
      keys.push({ id: made.key.id, secret: made.secret, limits })
    }
    return keys
  }
  try {
    return { rateKeys: await create(rateKeyCount, rateLimits), quotaKeys: await create(quotaKeyCount, quotaLimits) }
  } finally {
    await admin.close()
  }
}

/** Longest time after which nodes must have joined. Nothing fails meanwhile, but the machine may be busy. */
const joinLimitMs = 60_000

/** Resolves when each node has entered the open epoch. */
async function awaitJoined(database: string, count: number): Promise<void> {
  const endMs = performance.now() + joinLimitMs
  for (;;) {
    const [row] = await query<{ joined: number }>(
      database,
      `SELECT count(*)::int AS joined FROM cluster_nodes n, limit_epoch e
       WHERE n.mode = 'in' AND n.epoch = e.epoch AND e.state = 'open' AND NOT e.late AND NOT n.blind`,
    )
    if (row!.joined === count) return
    if (performance.now() > endMs) {
      const found = await query(
        database,
        'SELECT n.*, e.epoch AS now, e.state, e.late FROM cluster_nodes n, limit_epoch e',
      )
      throw new Error(
        `After a minute, ${row!.joined} of ${count} nodes have joined: ${JSON.stringify(found, undefined, 1)}`,
      )
    }
    await sleep(50)
  }
}

function programOf(name: 'pg' | 'valkey'): string {
  const found = findEngine(name)
  if (found !== undefined && 'program' in found) return found.program
  throw new Error(`A cluster needs a program of ${name} to start.`)
}
