import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeArgs, type Served, serve } from '../cli.ts'
import type { Link } from './link.ts'
import { nodeIdOf } from './release-node.ts'
import type { Target } from './traffic.ts'

export interface NodeParts {
  readonly name: string
  readonly folder: string
  /** The file with the pepper of the cluster; undefined for the node that has made it. */
  readonly pepper?: string
  /** Variables of the environment: the settings of the cluster. */
  readonly settings: Readonly<Record<string, string>>
  /** The port of the node; its public URL is that of the cluster. */
  readonly port: number
  readonly cache: Link
  readonly store: Link
  /** Ports of the cache and of the store, to which the links lead. */
  readonly ports: { readonly cache: number; readonly store: number }
  /** Called with a line for the log of the run. */
  readonly print: (text: string) => void
}

/** Things around the process of a node that go wrong while it runs; surroundings.js has them in the process. */
export interface Surroundings {
  readonly shiftMs?: number
  readonly isFull?: boolean
}

/** A node of the cluster: a process of `periplus serve` with a link to the cache and one to the store. */
export class ClusterNode implements Target {
  readonly parts: NodeParts
  /** The last lines of processes that have ended without being asked to. */
  readonly unexpectedEnds: string[] = []
  #served: Served | undefined
  #surroundings: Surroundings = {}
  #starting: Promise<void> | undefined
  #isEnding = false

  constructor(parts: NodeParts) {
    this.parts = parts
    mkdirSync(parts.folder, { recursive: true, mode: 0o700 })
    if (parts.pepper !== undefined) cpSync(parts.pepper, join(parts.folder, 'pepper'))
    this.surround({})
  }

  get url(): string | undefined {
    return this.#served && `http://127.0.0.1:${this.parts.port}`
  }

  /** Id of the node in the cluster. */
  get id(): string {
    return nodeIdOf(this.parts.folder)
  }

  get log(): string {
    return this.#served?.log() ?? ''
  }

  /** Changes what goes wrong around the process. */
  surround(change: Surroundings): void {
    this.#surroundings = { ...this.#surroundings, ...change }
    const file = this.#surroundingsFile
    writeFileSync(`${file}.tmp`, JSON.stringify(this.#surroundings))
    renameSync(`${file}.tmp`, file)
  }

  /** Starts the process until it runs, as a supervisor does: it ends while a server that it needs is missing. */
  start(): Promise<void> {
    this.#starting ??= this.#startUntilRunning().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** Starts a process of the node on a folder. Rejects with what it has printed if it ends. */
  run(folder: string, port: number): Promise<Served> {
    const { settings, cache, store, ports } = this.parts
    const preloads = ['redirect.js', 'surroundings.js'].map(name => fileURLToPath(new URL(name, import.meta.url)))
    const args = [...nodeArgs, ...preloads.flatMap(file => ['--import', file])]
    const env = {
      ...settings,
      REDIRECTED_PORTS: `${ports.cache}=${cache.port},${ports.store}=${store.port}`,
      SURROUNDINGS: this.#surroundingsFile,
    }
    return serve(folder, ['--port', String(port)], env, args)
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Suspends the process until `resume`. */
  suspend(): void {
    if (this.#served) process.kill(this.#served.pid, 'SIGSTOP')
  }

  resume(): void {
    if (this.#served) process.kill(this.#served.pid, 'SIGCONT')
  }

  /** Ends the process after it has folded its journal; returns its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  get #surroundingsFile(): string {
    return `${this.parts.folder}-surroundings.json`
  }

  async #startUntilRunning(): Promise<void> {
    const { name, folder, port, print } = this.parts
    this.#isEnding = false
    while (!this.#isEnding && !this.#served)
      try {
        const served = await this.run(folder, port)
        this.#served = served
        void served.ended.then(() => this.#served === served && this.#noteEnd(served))
      } catch (error) {
        print(`${name} did not start: ${lastLine(String(error))}`)
        await sleep(200)
      }
  }

  #noteEnd(served: Served): void {
    this.#served = undefined
    const reason = lastLine(served.log())
    this.unexpectedEnds.push(reason)
    this.parts.print(`${this.parts.name} has ended: ${reason}`)
    void this.start()
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#isEnding = true
    await this.#starting
    const served = this.#served
    this.#served = undefined
    return (await served?.stop(signal)) ?? null
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)!
