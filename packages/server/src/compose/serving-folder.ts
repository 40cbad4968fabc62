import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/load.ts'
import { DataFolderServed, LockHeld } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { Layout } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { openConfiguredEngine } from './engine.ts'

/** Retention of the copies that schema upgrades make, in milliseconds. */
const keptCopiesMs = 30 * 86_400_000
/** Interval between attempts to take a lock that another process holds, in milliseconds. */
const lockEveryMs = 20

/**
 * Takes the lock of the process that serves a data folder. Waits for another process as long as the configuration
 * allows, then throws DataFolderServed.
 */
export async function lockFolder(layout: Layout, config: Config): Promise<{ release: () => void }> {
  for (const untilMs = performance.now() + config.server.lockWaitMs; ; await delay(lockEveryMs)) {
    try {
      return holdLock(layout.serveLock, 'The data folder is being served.')
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      if (performance.now() >= untilMs) throw new DataFolderServed(config.data)
    }
  }
}

/** Opens and upgrades all stores, and removes old copies that schema upgrades made. */
export async function openServingEngine(config: Config, clock: Clock, log: Logger): Promise<Engine> {
  const engine = openConfiguredEngine(config, { create: true, clock })
  try {
    await engine.prepare()
    for (const name of await engine.upkeep.removeUpgradeCopies('all', clock.nowMs() - keptCopiesMs))
      log.info({ file: name }, 'Removed an old copy that a schema upgrade made.')
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Stores the public URL of the service; feed builds in other processes use it in the URLs of icons. */
export function storePublicUrl(file: string, url: string): void {
  writeFileSync(`${file}.tmp`, `${url}\n`)
  renameSync(`${file}.tmp`, file)
}
