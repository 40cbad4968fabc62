/**
 * A worker thread that builds feeds once and ends: of low priority, and with a heap of its own that is kept small, so
 * that a build takes the same memory whatever there is to build.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { buildFeeds } from '../compose/build-feeds.ts'
import { engineOf } from '../compose/engine.ts'
import type { BuildMessage, BuildTask } from '../compose/feed-build-thread.ts'
import { MissingDataFolder, NewerSchema } from '../domain/store-errors.ts'
import { NoSpace } from '../feeds/space.ts'
import { systemClock } from '../kit/clock.ts'
import { lowerPriority } from '../kit/lower-priority.ts'

const { config, request, mayWait } = workerData as BuildTask
const tell = (told: BuildMessage) => parentPort!.postMessage(told)

/** Another build is running, and this one is not to wait. */
class Busy extends Error {}

lowerPriority()
try {
  const engine = engineOf(config, { create: false })
  const built = await buildFeeds(engine, config, systemClock, request, {
    waiting: () => {
      if (!mayWait) throw new Busy('Another build of feeds is running on this folder; try again when it has ended.')
      tell({ what: 'waiting' })
    },
    begin: ({ feed, version }, kind, instead) => tell({ what: 'begin', feed, version, kind, instead }),
    progress: (done, total) => tell({ what: 'progress', done, total }),
    end: () => tell({ what: 'end' }),
  })
  await engine.close()
  tell({ what: 'built', built })
} catch (error) {
  const foreseen = [NoSpace, MissingDataFolder, NewerSchema, Busy].some(kind => error instanceof kind)
  if (!foreseen) throw error
  tell({ what: 'refused', sentence: (error as Error).message })
}
