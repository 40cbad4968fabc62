import type { Config } from '../config/load.ts'
import type { EngineDescriptor, FeedLibrary } from '../domain/stores.ts'
import { readSchema } from '../feeds/schemas.ts'
import { readSigningKey } from '../feeds/signing-key.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import type { FeedDocuments } from '../http/site/feed-pages.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { FeedSchedulerEvent } from './feed-scheduler-thread.ts'
import { scheduleFeeds } from './feeds.ts'
import { logReplacedFile } from './serving-folder.ts'

/** Creates the library of snapshots of a data folder. */
export function createFeedLibrary(layout: Layout): FeedLibrary {
  const snapshots = new Snapshots(layout.feeds)
  return {
    list: async edition => snapshots.list(edition),
    find: async (edition, id) => snapshots.find(edition, id),
  }
}

/** Provides the feed schemas and the public signing key, which the first build creates. */
export function createFeedDocuments(layout: Layout): FeedDocuments {
  return {
    publicKeyPem: () => readSigningKey(layout.feeds)?.publicPem,
    schema: readSchema,
  }
}

/** Creates the scheduler, which builds due feeds while a service runs if `feeds.schedule` is `auto`. */
export function createFeedScheduler(
  engine: EngineDescriptor,
  config: Config,
  threads: Threads,
  log: Logger,
): { start(): void; close(): Promise<void> } {
  let running: ReturnType<typeof scheduleFeeds> | undefined
  return {
    start: () => {
      if (config.feeds.schedule === 'auto')
        running = scheduleFeeds(threads, engine, config, event => logFeedEvent(log, event))
    },
    close: async () => running?.stop(),
  }
}

function logFeedEvent(log: Logger, event: FeedSchedulerEvent): void {
  if ('error' in event) log.warn({ err: event.error }, 'Could not build feeds; will retry.')
  else if ('replaced' in event) logReplacedFile(log, event.replaced)
  else if ('built' in event) log.info(event, 'Built feeds.')
  else log.info(event, 'Withdrew snapshots that contained erased records.')
}
