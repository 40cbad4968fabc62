import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresPool, workTimeouts } from '../../packages/server/src/store/postgres/pool.ts'
import { periplus, runJsonWith } from '../load/folder.ts'
import { type Server, startServer } from '../load/processes.ts'
import { findFreePort } from '../load/service.ts'
import { type MeasuredEngine, startEngine } from './engines.ts'
import { createKeys } from './keys.ts'

/** A node under load, with the address of its metrics. */
export interface ClusterNode extends Server {
  readonly adminUrl: string
}

/** Nodes that are measured together, with the engines that they use. */
export interface Side {
  readonly name: string
  readonly nodes: readonly ClusterNode[]
  readonly keys: readonly string[]
  readonly database?: MeasuredEngine
  readonly caches: readonly MeasuredEngine[]
}

type Settings = Readonly<Record<string, string>>

const common: Settings = {
  PERIPLUS_SERVER_PUBLIC_URL: 'http://places.example.org',
  PERIPLUS_CACHE_PACKED: 'always',
  PERIPLUS_FEEDS_SCHEDULE: 'manual',
  PERIPLUS_SERVER_LOG_LEVEL: 'warn',
}

/** Number of keys of each side. */
const keyCount = 64

interface NodesOptions {
  readonly nodes?: number
  /** True if limits are shared through a cache of this side. */
  readonly hasCache?: boolean
  readonly settings?: Settings
}

/** Places in a data folder and in a database, from which sides are started. */
export class Inventory {
  readonly #root = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  readonly #database: MeasuredEngine
  readonly #pool: PostgresPool
  readonly #source = { folder: join(this.#root, 'embedded'), node: join(this.#root, 'node') }
  readonly #blobs = join(this.#root, 'blobs')
  #keys: { readonly folder: readonly string[]; readonly database: readonly string[] } = { folder: [], database: [] }
  #copies = 0

  constructor(database: MeasuredEngine) {
    this.#database = database
    this.#pool = new PostgresPool({ url: database.url, connections: 1, timeouts: workTimeouts })
    process.once('exit', () => rmSync(this.#root, { recursive: true, force: true }))
  }

  /** Imports the places into both stores; returns their number. */
  async fill(file: string): Promise<number> {
    mkdirSync(this.#blobs)
    await this.#pool.exec('CREATE DATABASE places')
    const { folder, node } = this.#source
    const env = { folder: common, database: this.#settingsOf('places') }
    const { added } = runJsonWith<{ added: number }>(
      { ...process.env, ...env.folder },
      'import',
      file,
      '--data',
      folder,
    )
    runJsonWith({ ...process.env, ...env.database }, 'import', file, '--data', node)
    this.#keys = {
      folder: await createKeys(folder, env.folder, keyCount),
      database: await createKeys(node, env.database, keyCount),
    }
    return added
  }

  /** Starts a service on a copy of the data folder. */
  async startEmbedded(name: string, settings: Settings = {}): Promise<Side> {
    const folder = join(this.#root, `embedded-${++this.#copies}`)
    cpSync(this.#source.folder, folder, { recursive: true })
    return { name, nodes: [await startNode(folder, { ...common, ...settings })], keys: this.#keys.folder, caches: [] }
  }

  /** Starts two clusters of one node each, which have nothing in common but the machine. */
  async startTwoClusters(name: string): Promise<Side> {
    const [first, second] = [
      await this.startNodes(name, { hasCache: true }),
      await this.startNodes(name, { hasCache: true }),
    ]
    return { ...first, nodes: [...first.nodes, ...second.nodes], caches: [...first.caches, ...second.caches] }
  }

  /** Starts nodes on a copy of the database, each with the search index and the packed bodies of the import. */
  async startNodes(
    name: string,
    { nodes: count = 1, hasCache = false, settings = {} }: NodesOptions = {},
  ): Promise<Side> {
    const cache = hasCache ? await startEngine('valkey') : undefined
    const database = `copy_${++this.#copies}`
    await this.#pool.exec(`CREATE DATABASE ${database} TEMPLATE places`)
    const shared = cache && { PERIPLUS_LIMITS_SHARED: cache.url.replace(/^redis/, 'valkey') }
    const nodes: ClusterNode[] = []
    while (nodes.length < count) {
      const folder = join(this.#root, `${database}-${nodes.length}`)
      mkdirSync(folder, { mode: 0o700 })
      for (const part of ['pepper', 'data'])
        cpSync(join(this.#source.node, part), join(folder, part), { recursive: true })
      nodes.push(await startNode(folder, { ...this.#settingsOf(database), ...shared, ...settings }))
    }
    return { name, nodes, keys: this.#keys.database, database: this.#database, caches: cache ? [cache] : [] }
  }

  /** Returns the URL of the database with the places. */
  get url(): string {
    return this.#urlOf('places')
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  #settingsOf(database: string): Settings {
    return { ...common, PERIPLUS_STORE: this.#urlOf(database), PERIPLUS_BLOBS: this.#blobs }
  }

  #urlOf(database: string): string {
    return Object.assign(new URL(this.#database.url), { pathname: `/${database}` }).href
  }
}

/** Ends the nodes of a side, and its caches. */
export async function stopSide({ nodes, caches }: Side): Promise<void> {
  for (const node of nodes) await node.stop()
  for (const cache of caches) await cache.stop()
}

/** Starts a node, and waits until it has the search index and the packed bodies. */
async function startNode(folder: string, settings: Settings): Promise<ClusterNode> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  const env = { ...process.env, ...settings, PERIPLUS_SERVER_ADMIN_PORT: String(adminPort) }
  const server = await startServer([...periplus, 'serve', '--data', folder, '--port', String(port)], { env })
  // The address that it prints is the public one.
  const node = { ...server, url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` }
  const isPacked = settings.PERIPLUS_CACHE_PACKED === 'always'
  const wanted = ['periplus_index_places', ...(isPacked ? ['periplus_packed_places'] : [])]
  while (!(await Promise.all(wanted.map(name => sumMetric(node, name)))).every(value => value > 0)) await sleep(250)
  return node
}

/** Returns the sum of a metric of a node over the labels that match. */
export async function sumMetric({ adminUrl }: ClusterNode, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const values = text.split('\n').filter(line => line.startsWith(name) && line.includes(labels))
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
