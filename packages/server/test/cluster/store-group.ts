import { execute, query } from '../databases.ts'
import { backUpPostgres, type RunningEngine, runPostgres, runReplica } from '../setup/run-engine.ts'

/** Commits outlive a killed server, as in production. Files are still not synced. */
const settings = { synchronous_commit: 'on' }
const name = 'chaos'

/** The database of a cluster: a PostgreSQL, which a standby or a backup can take the place of. */
export class StoreGroup {
  readonly #program: string
  #primary: RunningEngine
  #standby: RunningEngine | undefined

  private constructor(program: string, primary: RunningEngine) {
    this.#program = program
    this.#primary = primary
  }

  static async start(program: string): Promise<StoreGroup> {
    const primary = await runPostgres(program, settings)
    await execute(primary.url, `CREATE DATABASE ${name}`)
    return new StoreGroup(program, primary)
  }

  get primary(): RunningEngine {
    return this.#primary
  }

  /** The URL of the database on the primary. */
  get url(): string {
    return urlOf(this.#primary)
  }

  /** Starts the primary again after it was killed. */
  async restart(): Promise<void> {
    this.#primary = await this.#primary.restart()
  }

  /** Starts an asynchronous standby: what it has not received is lost when it is promoted. */
  async addStandby(): Promise<void> {
    this.#standby ??= await runReplica(this.#program, this.#primary, settings)
  }

  /** Stops replication: what the primary commits after it is lost when the standby is promoted. */
  async detachStandby(): Promise<void> {
    await execute(this.#standby!.url, "ALTER SYSTEM SET primary_conninfo = ''")
    await execute(this.#standby!.url, 'SELECT pg_reload_conf()')
  }

  /** Makes the standby the primary; returns the old one, which may be suspended. */
  async promote(): Promise<ReplacedStore> {
    const next = this.#standby!
    this.#standby = undefined
    await query(next.url, 'SELECT pg_promote(true, 60)')
    return this.#replace(next)
  }

  /** Backs up the primary; the returned function starts a server with this state, and makes it the primary. */
  async backUp(): Promise<() => Promise<ReplacedStore>> {
    const start = await backUpPostgres(this.#program, this.#primary, settings)
    return async () => this.#replace(await start())
  }

  async stop(): Promise<void> {
    await this.#standby?.stop()
    await this.#primary.stop()
  }

  #replace(next: RunningEngine): ReplacedStore {
    const old = this.#primary
    this.#primary = next
    return { url: urlOf(old), server: old }
  }
}

/** A PostgreSQL that another one has replaced. */
export interface ReplacedStore {
  readonly url: string
  readonly server: RunningEngine
}

const urlOf = ({ url }: RunningEngine): string => url.replace(/\/postgres$/, `/${name}`)
