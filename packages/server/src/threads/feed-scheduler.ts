/**
 * A worker thread: looks once a minute which feeds are due, and builds them; ends what is past its time, and takes away
 * what holds an erased record. Of low priority, on store connections of its own.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { buildFeeds, sweepErasedFeeds } from '../compose/build-feeds.ts'
import { engineOf } from '../compose/engine.ts'
import { takersOf } from '../compose/feed-folder.ts'
import type { FeedSchedulerEvent, FeedSchedulerTask } from '../compose/feed-scheduler-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { lowerPriority } from '../kit/lower-priority.ts'

const { config, firstMs, everyMs } = workerData as FeedSchedulerTask
const engine = engineOf(config, { create: false })
const tell = (news: FeedSchedulerEvent) => parentPort!.postMessage(news)

/** A build that somebody else has started is left to itself. */
class Busy extends Error {}

async function look(): Promise<void> {
  const withdrawn = await sweepErasedFeeds(engine, config, systemClock)
  if (withdrawn.length > 0) tell({ withdrawn: withdrawn.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`) })
  const taken = (await takersOf(config, engine.keys)).length > 0
  const startMs = performance.now()
  const built = await buildFeeds(engine, config, systemClock, taken ? { kind: 'due' } : { kind: 'due', feeds: [] }, {
    waiting: () => {
      throw new Busy()
    },
  })
  if (built.length > 0)
    tell({
      built: built.map(({ manifest }) => `${manifest.feed} ${manifest.snapshot_id} ${manifest.kind}`),
      seconds: (performance.now() - startMs) / 1000,
    })
}

await wait(firstMs)
// Threads take over the priority of who starts them: by now the process has started those that it shares.
lowerPriority()
for (;;) {
  try {
    await look()
  } catch (error) {
    if (!(error instanceof Busy)) tell({ error: String(error) })
  }
  await wait(everyMs)
}
