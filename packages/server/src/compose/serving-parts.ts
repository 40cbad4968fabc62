import type { Config } from '../config/load.ts'
import type { FolderPart } from '../domain/data-folder.ts'
import { createOutbox } from '../http/wire/outbox.ts'
import { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import { createLog } from '../kit/log.ts'
import type { PackedFile } from '../packed/packed-file.ts'
import type { IndexView } from '../search/index/index-view.ts'
import { openFolder } from '../store/engine.ts'
import { requireUnmoving } from '../store/folder/moved.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { configStatus } from './configuration.ts'
import { describeEngine } from './engine.ts'
import { loadTextVectors } from './load-text-vectors.ts'
import { OutageLog } from './outage-log.ts'
import { recreateFolderParts } from './recreation.ts'
import { createServiceThreads } from './service-threads.ts'
import { openAccount } from './serving-account.ts'
import { openCaches } from './serving-caches.ts'
import { createDeliveries } from './serving-deliveries.ts'
import { openFeeds } from './serving-feeds.ts'
import {
  holdDatabase,
  lockFolder,
  logRecreation,
  logReplacedFile,
  openServingEngine,
  warnOfReadableFiles,
} from './serving-folder.ts'
import { allocateServing } from './serving-memory.ts'
import { createPacked } from './serving-packed.ts'
import { openSearch } from './serving-search.ts'
import { ServingThreads } from './serving-threads.ts'
import { openUsage } from './serving-usage.ts'

interface OpenOptions {
  readonly clock: Clock
  /** Parts of the data folder to recreate if they are defective. */
  readonly recreate: readonly FolderPart[]
  readonly isDemo: boolean
}

/** Opens the parts that requests need; `opened` closes them in reverse order. */
export async function openParts(
  config: Config,
  { clock, recreate, isDemo }: OpenOptions,
  opened: AsyncDisposableStack,
) {
  const outages = new OutageLog()
  const { log, recent, write: writeLog, line: accessLog, flush } = createLog(config.server.logLevel, outages.absorbs)
  opened.defer(flush)
  if (recreate.length > 0) logRecreation(recreateFolderParts(config, recreate, clock.nowMs()), log)
  const layout = openFolder(describeEngine(config), { create: false })
  const lock = await lockFolder(layout, config)
  opened.defer(() => lock.release())
  requireUnmoving(layout.root)
  if (lock.replaced) logReplacedFile(log, lock.replaced)
  warnOfReadableFiles(layout, log)
  const lifecycle = resolveLifecycle(config)
  for (const { path, text } of configStatus(config, clock.nowMs()).warnings) log.warn({ setting: path }, text)
  const engine = opened.adopt(await openServingEngine(config, clock, log), close)
  const { cluster, databaseLock } = await holdDatabase(engine, config, opened)
  outages.start({ log, engine })
  opened.defer(() => outages.close())
  const threads = createServiceThreads(log)
  const outbox = createOutbox()
  const traffic = new Traffic([...lifecycle.versions.map(({ name }) => name), 'beta'])
  const memory = allocateServing(config)
  const others = memory && new ServingThreads(config, memory)
  const common = { layout, clock, log, threads, outbox, traffic }
  const deliveries = opened.adopt(createDeliveries(config, { engine, threads, log, isDemo }), close)
  const usageParts = { engine, ...common, shared: others?.shared, cluster, onReceivers: deliveries.start }
  const usage = opened.adopt(await openUsage(config, usageParts), close)
  if (config.recommendations.vectors !== undefined) await loadTextVectors(config.recommendations.vectors)
  const onView = others && ((view: IndexView) => others.viewChanged(view))
  const search = opened.adopt(openSearch(config, engine, layout, { ...common, onView }), close)
  const caches = opened.adopt(openCaches(engine, { layout, config, log, listener: others }), close)
  const countPlaces = () => search.index.info()?.documents
  const onReplaced = others && ((version: string, file: PackedFile | undefined) => others.packedReplaced(version, file))
  const packed = opened.adopt(createPacked(config, { engine, ...common, countPlaces, onReplaced }), close)
  const account = opened.adopt(openAccount({ engine: engine.descriptor, config }, threads), close)
  return {
    ...common,
    databaseLock,
    others,
    recent,
    accessLog,
    writeLog,
    lifecycle,
    engine,
    usage,
    search,
    caches,
    packed,
    account,
    ...(await openFeeds(config, layout, log, opened)),
  }
}

export type OpenedParts = Awaited<ReturnType<typeof openParts>>

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()
