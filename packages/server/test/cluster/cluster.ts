import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from '../databases.ts'
import { findEngine } from '../setup/find-engines.ts'
import { freePort } from '../setup/free-port.ts'
import { configFor, importRows } from '../world.ts'
import { CacheGroup } from './cache-group.ts'
import type { Evidence } from './evidence.ts'
import { awaitJoined } from './joined.ts'
import { createKeys, type TrafficKeys } from './keys.ts'
import { Link } from './link.ts'
import { ClusterNode } from './node.ts'
import { noteOpenings, OpeningNotes } from './openings.ts'
import { readEvidence } from './read-evidence.ts'
import { StoreGroup } from './store-group.ts'

export interface ClusterOptions {
  /** Folder of all nodes. */
  readonly folder: string
  readonly nodes: number
  readonly whenDown: string
  /** Number of keys with a quota that binds. */
  readonly quotaKeys: number
  /** True if replicas of the cache can take its place. */
  readonly hasReplicas: boolean
  /** Called with a line for the log of the run. */
  readonly print: (text: string) => void
}

/** A cluster on loopback, with its own PostgreSQL and Valkey. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  readonly cache: CacheGroup
  readonly store: StoreGroup
  readonly keys: TrafficKeys
  readonly openings: OpeningNotes
  /** Removes the states of limits from the ledger. */
  loseSeeds(): Promise<void>
  /** Resolves when all nodes decide in the open epoch. */
  whenJoined(): Promise<void>
  /** Ends all nodes after they have folded their journals. */
  stopNodes(): Promise<void>
  readEvidence(): Promise<Omit<Evidence, 'clients' | 'losses'>>
  /** Ends everything. */
  stop(): Promise<void>
}

const places = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: i, lon: i }))

/** Starts servers and nodes. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const store = await StoreGroup.start(programOf('pg'))
  const cache = await CacheGroup.start(programOf('valkey'), options.hasReplicas)
  const config = configFor(folderOf(options, 1), { store: store.url })
  await importRows(config, 'location', places)
  const keys = await createKeys(config, options.quotaKeys)
  await noteOpenings(store.url)
  const nodes: ClusterNode[] = []
  for (let i = 1; i <= options.nodes; i++) nodes.push(await startNode(i, options, cache, store))
  const all = [...keys.rateKeys, ...keys.quotaKeys, keys.hotKey]
  const openings = new OpeningNotes()
  const whenJoined = () => awaitJoined(store.url, nodes.length)
  await whenJoined()
  return {
    ...{ nodes, cache, store, keys, openings, whenJoined },
    loseSeeds: () => execute(store.url, 'DELETE FROM limit_states'),
    stopNodes: async () => {
      for (const node of nodes) {
        const { log } = node
        const code = await node.stop()
        if (code !== 0) throw new Error(`${node.parts.name} has ended with ${code}:\n${log}`)
      }
    },
    readEvidence: async () => {
      await openings.collect(store.url)
      const journals = new Map(nodes.map(({ id, parts }) => [id, join(parts.folder, 'journal')]))
      return {
        ...(await readEvidence(store.url, journals)),
        keys: new Map(all.map(({ id, limits }) => [id, limits])),
        openings: openings.openings,
        endings: openings.endings,
        nodes: nodes.length,
      }
    },
    stop: async () => {
      for (const node of nodes) {
        await node.kill()
        node.parts.cache.close()
        node.parts.store.close()
      }
      await cache.stop()
      await store.stop()
    },
  }
}

const folderOf = ({ folder }: ClusterOptions, node: number): string => join(folder, `node-${node}`)

/** Starts a node behind links of its own. The first one has the pepper that the others need. */
async function startNode(number: number, options: ClusterOptions, cache: CacheGroup, store: StoreGroup) {
  const ports = { cache: cache.primary.port, store: store.primary.port }
  const node = new ClusterNode({
    name: `node-${number}`,
    folder: folderOf(options, number),
    settings: settingsOf(options, cache, store),
    port: await freePort(),
    ports,
    cache: await Link.open(ports.cache),
    store: await Link.open(ports.store),
    print: options.print,
    ...(number > 1 && { pepper: join(folderOf(options, 1), 'pepper') }),
  })
  await node.start()
  return node
}

function settingsOf({ folder, whenDown }: ClusterOptions, cache: CacheGroup, store: StoreGroup) {
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs, { recursive: true })
  return {
    PERIPLUS_STORE: store.url,
    PERIPLUS_LIMITS_SHARED: cache.primary.url.replace(/^redis/, 'valkey'),
    PERIPLUS_LIMITS_WHEN_DOWN: whenDown,
    PERIPLUS_BLOBS: blobs,
    PERIPLUS_SERVER_PUBLIC_URL: 'http://places.example.org',
    PERIPLUS_FEEDS_SCHEDULE: 'manual',
    // With penalties, hardly any call would come as early as the rate admits it.
    PERIPLUS_LIMITS_PENALTY: 'false',
    PERIPLUS_SERVER_LOG_LEVEL: 'warn',
  }
}

function programOf(name: 'pg' | 'valkey'): string {
  const found = findEngine(name)
  if (found !== undefined && 'program' in found) return found.program
  throw new Error(`A cluster needs a program of ${name} to start.`)
}
