/** Fixture for tests of the pull: a folder of snapshots, a server for it, and pulls in this process. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeedName } from '../../src/domain/feed.ts'
import { FeedClient } from '../../src/feeds/pull/client.ts'
import { type PullOptions, pullFeeds } from '../../src/feeds/pull/pull.ts'
import type { PullReport } from '../../src/feeds/pull/report.ts'
import type { ResultState } from '../../src/feeds/pull/result-state.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { Publisher, type PublisherOptions } from './pull-publisher.ts'
import { PullServer, testKey } from './pull-server.ts'

export class PullWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'periplus-pull-'))
  readonly into = join(this.folder, 'into')
  readonly server: PullServer
  /** Messages to the user. */
  readonly messages: string[] = []
  /** Requested waits in milliseconds; the pull does not really wait. */
  readonly waits: number[] = []
  #editions = 0

  private constructor(options: PublisherOptions) {
    this.server = new PullServer(this.publisher(options))
  }

  static async open(options: PublisherOptions = {}, base = ''): Promise<PullWorld> {
    const world = new PullWorld(options)
    await world.server.listen(base)
    return world
  }

  get edition(): Publisher {
    return this.server.editions[0]!
  }

  publisher(options: PublisherOptions): Publisher {
    return new Publisher(join(this.folder, `edition-${this.#editions++}`), options)
  }

  pull(options: Partial<PullOptions> = {}): Promise<PullReport> {
    const say = (message: string) => void this.messages.push(message)
    const wait = async (ms: number) => void this.waits.push(ms)
    return pullFeeds({
      client: new FeedClient({ url: new URL(this.server.url), key: testKey, say, wait }),
      into: this.into,
      clock: systemClock,
      say,
      progress: () => ({ update: () => {}, stop: () => {} }),
      ...options,
    })
  }

  result(feed: FeedName = 'locations'): string {
    return readFileSync(this.resultFile(feed), 'utf8')
  }

  resultFile = (feed: FeedName = 'locations'): string => join(this.into, `${feed}.ndjson`)

  state(feed: FeedName = 'locations'): ResultState {
    return JSON.parse(readFileSync(join(this.into, `${feed}.state.json`), 'utf8'))
  }

  /** Returns the stored result and state; undefined if no result exists. */
  pair(feed: FeedName = 'locations'): { result: string; state: ResultState } | undefined {
    return existsSync(this.resultFile(feed)) ? { result: this.result(feed), state: this.state(feed) } : undefined
  }

  /** Lists the working files of unfinished pulls. */
  leftovers(feed: FeedName = 'locations'): string[] {
    return readdirSync(join(this.into, '.periplus-pull', feed), { recursive: true, encoding: 'utf8' }).sort()
  }

  /** Rewrites the bytes of a stored part. */
  changePart(id: string, change: (bytes: Buffer) => Buffer, part = 0): void {
    const folder = join(this.edition.folder, id)
    const file = join(
      folder,
      readdirSync(folder)
        .filter(name => name.startsWith('part-'))
        .sort()[part]!,
    )
    writeFileSync(file, change(readFileSync(file)))
  }

  async close(): Promise<void> {
    await this.server.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
