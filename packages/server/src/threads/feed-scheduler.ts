/**
 * The feed scheduler: builds the feeds that are due, drops snapshots that are past their time and withdraws those that hold
 * an erased record, once a minute. Of low priority, on an engine of its own.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { buildFeeds, withdrawErasedSnapshots } from '../compose/build-feeds.ts'
import { openConfiguredEngine } from '../compose/engine.ts'
import { findFeedKeys } from '../compose/feed-folder.ts'
import type { FeedSchedulerEvent, FeedSchedulerMessage, FeedSchedulerTask } from '../compose/feed-scheduler-thread.ts'
import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { lowerPriority } from '../kit/lower-priority.ts'

/** Another process builds feeds at present; the next round looks again. */
class BuildRunning extends Error {}

await runThread<FeedSchedulerTask, FeedSchedulerMessage>(async ({ data: { config, firstMs, everyMs }, emit }) => {
  const engine = openConfiguredEngine(config, { create: false })
  await wait(firstMs)
  // A thread inherits the priority of its creator: by now the process has started the threads that must not inherit this.
  lowerPriority()
  for (;;) {
    try {
      await buildDueFeeds(engine, config, emit)
    } catch (error) {
      if (!(error instanceof BuildRunning)) emit({ error: error instanceof Error ? error : new Error(String(error)) })
    }
    emit({ roundEnded: true })
    await wait(everyMs)
  }
})

async function buildDueFeeds(engine: Engine, config: Config, emit: (event: FeedSchedulerEvent) => void): Promise<void> {
  const withdrawn = await withdrawErasedSnapshots(engine, config, systemClock)
  if (withdrawn.length > 0) emit({ withdrawn: withdrawn.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`) })
  const wanted = (await findFeedKeys(config, engine.keys)).length > 0
  const startMs = performance.now()
  const built = await buildFeeds(engine, config, systemClock, wanted ? { kind: 'due' } : { kind: 'due', feeds: [] }, {
    waiting: () => {
      throw new BuildRunning()
    },
  })
  if (built.length > 0)
    emit({
      built: built.map(({ manifest }) => `${manifest.feed} ${manifest.snapshot_id} ${manifest.kind}`),
      seconds: (performance.now() - startMs) / 1000,
    })
}
