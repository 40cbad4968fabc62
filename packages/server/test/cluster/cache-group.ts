import { setTimeout as sleep } from 'node:timers/promises'
import { parseValkeyUrl, type ValkeyAddress } from '../../src/store/valkey/address.ts'
import { openConnection } from '../../src/store/valkey/open-connection.ts'
import type { Reply } from '../../src/store/valkey/resp.ts'
import { type RunningEngine, runValkey } from '../setup/run-engine.ts'

/** Settings of a cache with replicas: of two primaries, only one can have a replica left. */
const replicated = {
  'min-replicas-to-write': 1,
  'min-replicas-max-lag': 2,
  'repl-diskless-sync-delay': 0,
  'repl-timeout': 5,
}
const replicaCount = 2
const askLimitMs = 1000

/** The cache of a cluster: one server, or a primary with two replicas that can take its place. */
export class CacheGroup {
  #primary: RunningEngine
  readonly #replicas: RunningEngine[]

  private constructor(primary: RunningEngine, replicas: RunningEngine[]) {
    this.#primary = primary
    this.#replicas = replicas
  }

  static async start(program: string, hasReplicas: boolean): Promise<CacheGroup> {
    if (!hasReplicas) return new CacheGroup(await runValkey(program), [])
    const primary = await runValkey(program, replicated)
    const replicas: RunningEngine[] = []
    while (replicas.length < replicaCount) replicas.push(await runValkey(program, replicated))
    for (const replica of replicas) await follow(replica, primary)
    return new CacheGroup(primary, replicas)
  }

  get primary(): RunningEngine {
    return this.#primary
  }

  /** Asks the primary. */
  ask(...words: string[]): Promise<Reply> {
    return ask(this.#primary, ...words)
  }

  /** Starts the primary again after it was killed: its states are lost. */
  async restart(): Promise<void> {
    this.#primary = await this.#primary.restart()
  }

  /** Makes a replica the primary, which the other one follows. The old primary may be suspended. */
  async promote(): Promise<void> {
    const old = this.#primary
    const next = this.#replicas.shift()!
    await ask(next, 'REPLICAOF', 'NO', 'ONE')
    for (const other of this.#replicas) await follow(other, next)
    this.#replicas.push(old)
    this.#primary = next
  }

  /** Makes all other servers replicas of the primary. */
  async reunite(): Promise<void> {
    for (const replica of this.#replicas) await follow(replica, this.#primary)
  }

  async stop(): Promise<void> {
    for (const server of [this.#primary, ...this.#replicas]) await server.stop()
  }
}

const follow = (replica: RunningEngine, { port }: RunningEngine) => ask(replica, 'REPLICAOF', '127.0.0.1', String(port))

/** Asks a server until it answers; it may have been resumed just before. */
async function ask({ url }: RunningEngine, ...words: string[]): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    try {
      const connection = await openConnection(parseValkeyUrl(url) as ValkeyAddress, askLimitMs)
      const timer = setTimeout(() => connection.close(), askLimitMs)
      return await connection.ask(...words).finally(() => {
        clearTimeout(timer)
        connection.close()
      })
    } catch (error) {
      if (tries === 10) throw error
      await sleep(100)
    }
  }
}
