/**
 * A thread that builds feeds once: of low priority, and with a small heap of its own, so that a build takes the same memory
 * whatever the size of the data.
 */
import { buildFeeds } from '../compose/build-feeds.ts'
import { openConfiguredEngine } from '../compose/engine.ts'
import type { FeedBuildOutcome, FeedBuildTask } from '../compose/feed-build-thread.ts'
import type { FeedBuildEvent } from '../domain/feed-build.ts'
import { MissingDataFolder, NewerSchema } from '../domain/store-errors.ts'
import { NoSpace } from '../feeds/space.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { lowerPriority } from '../kit/lower-priority.ts'

/** Another build is running, and this one must not wait for it. */
class BuildRunning extends Error {}

lowerPriority()
serveRequests<FeedBuildTask, FeedBuildOutcome, unknown, FeedBuildEvent>(async (task, { emit }) => {
  try {
    return await build(task, emit)
  } catch (error) {
    const foreseen = [NoSpace, MissingDataFolder, NewerSchema, BuildRunning].some(kind => error instanceof kind)
    if (!foreseen) throw error
    return { refused: (error as Error).message }
  }
})

async function build(
  { config, request, mayWait }: FeedBuildTask,
  emit: (event: FeedBuildEvent) => void,
): Promise<FeedBuildOutcome> {
  const engine = openConfiguredEngine(config, { create: false })
  try {
    return await buildFeeds(engine, config, systemClock, request, {
      waiting: () => {
        if (!mayWait)
          throw new BuildRunning('Another build of feeds is running on this folder; try again when it has ended.')
        emit({ type: 'waiting' })
      },
      start: ({ feed, version }, kind, isFallback) => emit({ type: 'start', feed, version, kind, isFallback }),
      progress: (done, total) => emit({ type: 'progress', done, total }),
      end: () => emit({ type: 'end' }),
    })
  } finally {
    await engine.close()
  }
}
