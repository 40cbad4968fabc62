import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeArgs, type Served, serve } from '../cli.ts'
import type { Link } from './link.ts'
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
}

/** A node of the cluster: a process of `periplus serve` with a link to the cache and one to the store. */
export class ClusterNode implements Target {
  readonly parts: NodeParts
  #served: Served | undefined
  #isStopped = false

  constructor(parts: NodeParts) {
    this.parts = parts
    mkdirSync(parts.folder, { recursive: true, mode: 0o700 })
    if (parts.pepper !== undefined) cpSync(parts.pepper, join(parts.folder, 'pepper'))
  }

  get url(): string | undefined {
    return this.#served && `http://127.0.0.1:${this.parts.port}`
  }

  get isRunning(): boolean {
    return this.#served !== undefined && !this.#isStopped
  }

  /** Id of the node in the cluster. */
  get id(): string {
    return (JSON.parse(readFileSync(join(this.parts.folder, 'node.json'), 'utf8')) as { folderId: string }).folderId
  }

  get log(): string {
    return this.#served?.log() ?? ''
  }

  async start(): Promise<void> {
    const { folder, settings, port, cache, store, ports } = this.parts
    const redirected = `${ports.cache}=${cache.port},${ports.store}=${store.port}`
    const preload = fileURLToPath(new URL('redirect.js', import.meta.url))
    const args = [...nodeArgs, '--import', preload]
    this.#served = await serve(folder, ['--port', String(port)], { ...settings, REDIRECTED_PORTS: redirected }, args)
  }

  async kill(): Promise<void> {
    const served = this.#served
    this.#served = undefined
    await served?.stop('SIGKILL')
  }

  /** Suspends the process until `resume`. */
  suspend(): void {
    if (this.#served) process.kill(this.#served.pid, 'SIGSTOP')
    this.#isStopped = true
  }

  resume(): void {
    if (this.#served) process.kill(this.#served.pid, 'SIGCONT')
    this.#isStopped = false
  }

  /** Ends the process after it has folded its journal; returns its exit code. */
  async stop(): Promise<number | null> {
    const served = this.#served
    this.#served = undefined
    return (await served?.stop()) ?? null
  }
}
