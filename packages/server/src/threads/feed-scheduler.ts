/**
 * The feed-scheduler thread: once a minute it builds due feeds, deletes expired snapshots, and withdraws snapshots that
 * contain an erased record. It runs at low priority and opens a separate engine.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { runFeedBuild, withdrawErasedSnapshots } from '../compose/build-feeds.ts'
import { findFeedKeys } from '../compose/feed-folder.ts'
import type { FeedSchedulerEvent, FeedSchedulerMessage, FeedSchedulerTask } from '../compose/feed-scheduler-thread.ts'
import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import { openEngine } from '../store/engine.ts'

/** Thrown when another process holds the build lock; the next round retries. */
class BuildRunning extends Error {}

await runThread<FeedSchedulerTask, FeedSchedulerMessage>(
  async ({ data: { engine: descriptor, config, everyMs }, emit }) => {
    const engine = openEngine(descriptor, { create: false, onReplaced: replaced => emit({ replaced }) })
    // Threads inherit the priority of their creator. By the first round all threads that must not inherit this one have
    // started.
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
  },
)

async function buildDueFeeds(engine: Engine, config: Config, emit: (event: FeedSchedulerEvent) => void): Promise<void> {
  const withdrawn = await withdrawErasedSnapshots(engine, config, systemClock)
  if (withdrawn.length > 0) emit({ withdrawn: withdrawn.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`) })
  const hasFeedKeys = (await findFeedKeys(config, engine.keys)).length > 0
  const startMs = performance.now()
  const { built, withheld } = await runFeedBuild(
    engine,
    config,
    systemClock,
    hasFeedKeys ? { kind: 'due' } : { kind: 'due', feeds: [] },
    {
      onWaiting: () => {
        throw new BuildRunning()
      },
      onDamaged: damaged => emit({ damaged }),
    },
  )
  if (withheld.length > 0) emit({ withheld })
  if (built.length > 0)
    emit({
      built: built.map(({ manifest }) => `${manifest.feed} ${manifest.snapshot_id} ${manifest.kind}`),
      seconds: (performance.now() - startMs) / 1000,
    })
}
