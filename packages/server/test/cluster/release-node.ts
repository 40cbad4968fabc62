import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Served, serve } from '../cli.ts'
import type { Target } from './traffic.ts'

/** Returns the id of the node that a folder belongs to. */
export const nodeIdOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'node.json'), 'utf8')) as { folderId: string }).folderId

/** A node of a folder, which processes of several releases run, one at a time. */
export class ReleaseNode implements Target {
  readonly folder: string
  #served: Served | undefined

  constructor(folder: string) {
    this.folder = folder
  }

  get url(): string | undefined {
    return this.#served && new URL(this.#served.url).origin
  }

  /** Starts the node as the release of an environment, after the end of the process that runs. */
  async run(env: Readonly<Record<string, string>>): Promise<void> {
    await this.stop()
    this.#served = await serve(this.folder, [], env)
  }

  /** Ends the process, if one runs. Throws if it has failed. */
  async stop(): Promise<void> {
    const served = this.#served
    this.#served = undefined
    const code = await served?.stop()
    if (served && code !== 0) throw new Error(`The node has ended with ${code}: ${served.log()}`)
  }
}
