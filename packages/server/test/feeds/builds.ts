import { expect } from 'vitest'
import * as feeds from '../../src/compose/build-feeds.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import type { Config } from '../../src/config/load.ts'
import type { FeedBuildRequest } from '../../src/domain/feed-build.ts'
import type { Engine } from '../../src/domain/stores.ts'
import type { Clock } from '../../src/kit/clock.ts'

async function withEngine<T>(config: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = openConfiguredEngine(config, { create: false })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Builds the feeds of a data folder, as the build thread does, and returns what was built and withheld. */
export const tryToBuild = (config: Config, clock: Clock, request: FeedBuildRequest, hooks?: feeds.FeedBuildHooks) =>
  withEngine(config, engine => feeds.runFeedBuild(engine, config, clock, request, hooks))

/** Builds the feeds of a data folder and returns what was built; nothing may be withheld. */
export async function buildFeeds(config: Config, clock: Clock, request: FeedBuildRequest) {
  const { built, withheld } = await tryToBuild(config, clock, request)
  expect(withheld).toEqual([])
  return built
}

/** Withdraws the snapshots that contain an erased record, as the feed scheduler does. */
export const withdrawErasedSnapshots = (config: Config, clock: Clock) =>
  withEngine(config, engine => feeds.withdrawErasedSnapshots(engine, config, clock))
