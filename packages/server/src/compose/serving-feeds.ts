import type { Config } from '../config/load.ts'
import type { FeedLibrary } from '../domain/feed-stores.ts'
import { StoreFailure } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { readSchema } from '../feeds/schemas.ts'
import { readSigningKey } from '../feeds/signing-key.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import type { FeedDocuments } from '../http/site/feed-pages.ts'
import type { Logger } from '../kit/log.ts'
import { repeat } from '../kit/repeat.ts'
import type { Threads } from '../kit/threads.ts'
import type { Layout } from '../store/folder/layout.ts'
import { createFeedLibrary } from './feed-library.ts'
import type { FeedSchedulerEvent } from './feed-scheduler-thread.ts'
import { createFeedStatus, describeWithheld, type FeedStatus } from './feed-status.ts'
import { scheduleFeeds } from './feeds.ts'
import { logReplacedFile } from './serving-folder.ts'
import { refreshFeeds } from './shared-feeds.ts'

/** Feeds of a running service. */
export interface ServingFeeds {
  readonly feeds: FeedLibrary
  readonly feedStatus: FeedStatus
}

/** Interval between looks for feeds that another node has published, in milliseconds. */
const followEveryMs = 5000

/**
 * Opens the library of snapshots of a data folder, and the status of its feeds, whose problems are logged; `opened`
 * ends it. Rejects with StoreError if the blobs that nodes share cannot be used.
 */
export async function openFeeds(
  config: Config,
  layout: Layout,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<ServingFeeds> {
  let isFailing = false
  const onError = (error: unknown) => {
    if (!isFailing) log.warn({ err: error }, 'Could not read the feeds that nodes share; will retry.')
    isFailing = true
  }
  const refresh = async () => {
    await refreshFeeds(config, layout)
    isFailing = false
  }
  await refresh().catch(error => {
    // A node starts while the blobs are away, and delivers the feeds that it knows.
    if (!(error instanceof StoreFailure)) throw error
    onError(error)
  })
  const snapshots = new Snapshots(layout.feeds)
  const feedStatus = createFeedStatus(layout, snapshots)
  for (const note of feedStatus.notes()) log.warn(note)
  if (config.blobs !== undefined)
    opened.adopt(repeat(refresh, { everyMs: followEveryMs, onError }), following => following.stop())
  return { feeds: createFeedLibrary(config, layout, snapshots), feedStatus }
}

/** Provides the feed schemas and the public signing key, which the first build creates. */
export function createFeedDocuments(layout: Layout): FeedDocuments {
  return {
    publicKeyPem: () => {
      const key = readSigningKey(layout.feeds)
      return key === 'damaged' ? undefined : key?.publicPem
    },
    schema: readSchema,
  }
}

/** Dependencies of the scheduler. */
export interface SchedulerOptions {
  readonly engine: Pick<Engine, 'descriptor'>
  readonly threads: Threads
  readonly log: Logger
  /** Called after each error; the next round retries. */
  readonly onFailure?: () => void
}

/** Creates the scheduler, which builds due feeds while a service runs if `feeds.schedule` is `auto`. */
export function createFeedScheduler(
  config: Config,
  { engine, threads, log, onFailure }: SchedulerOptions,
): { start(): void; close(): Promise<void> } {
  let running: ReturnType<typeof scheduleFeeds> | undefined
  return {
    start: () => {
      if (config.feeds.schedule === 'auto')
        running = scheduleFeeds(threads, engine.descriptor, config, event => {
          logFeedEvent(log, event)
          if ('error' in event) onFailure?.()
        })
    },
    close: async () => running?.stop(),
  }
}

function logFeedEvent(log: Logger, event: FeedSchedulerEvent): void {
  if ('error' in event) log.warn({ err: event.error }, 'Could not build feeds; will retry.')
  else if ('replaced' in event) logReplacedFile(log, event.replaced)
  else if ('built' in event) log.info(event, 'Built feeds.')
  else if ('withheld' in event) for (const withheld of event.withheld) log.warn(describeWithheld(withheld))
  else if ('damaged' in event)
    log.warn({ file: event.damaged }, 'A file of a feed snapshot is damaged; building without it.')
  else log.info(event, 'Withdrew snapshots that contained erased records.')
}
