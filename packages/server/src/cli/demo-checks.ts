import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { probeAlone } from '../compose/early-listener.ts'
import { withEngine } from '../compose/engine.ts'
import type { Config } from '../config/load.ts'
import { folderStore } from '../config/schema-store.ts'
import { DataFolderServed, MissingDataFolder } from '../domain/store-errors.ts'
import { listenError } from './listen-error.ts'

/**
 * Checks, before the sample is imported, what `serve` would refuse afterwards: a port in use, and a data folder that
 * cannot be written or that another process serves. With `--wait`, the service may still have to wait for both.
 */
export async function checkBeforeSample(config: Config): Promise<void> {
  const { host, port, lockWaitMs } = config.server
  if (port !== 0 && lockWaitMs === 0)
    await probeAlone({ host, port }).catch(error => {
      throw listenError(error, config.server)
    })
  if (!existsSync(config.data)) mkdirSync(config.data, { recursive: true })
  accessSync(config.data, constants.W_OK)
  if (config.store !== folderStore || lockWaitMs > 0) return
  try {
    await withEngine(config, { create: false }, async engine => {
      await engine.prepare()
      if (await engine.locks.isHeld('serve')) throw new DataFolderServed(config.data)
    })
  } catch (error) {
    if (!(error instanceof MissingDataFolder)) throw error
  }
}
