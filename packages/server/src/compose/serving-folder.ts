import { readdirSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/load.ts'
import type { Cluster } from '../domain/cluster.ts'
import {
  DataFolderServed,
  describeReplacedFile,
  LockHeld,
  type ReplacedFile,
  StoreError,
} from '../domain/store-errors.ts'
import type { Engine, Lock } from '../domain/stores.ts'
import { packageVersion } from '../kit/bundled.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import { repeat } from '../kit/repeat.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { dayMs } from '../kit/time.ts'
import { openEngine } from '../store/engine.ts'
import type { Layout } from '../store/folder/layout.ts'
import { type HeldLock, holdLock } from '../store/folder/lock.ts'
import { isEndRequested } from '../store/folder/moved.ts'
import { digestConfig } from './config-digest.ts'
import { describeServingEngine } from './engine.ts'
import type { PartOutcome } from './recreation.ts'
import { findSharedLimits } from './shared-limit-settings.ts'

/** Retention of the copies that schema upgrades make, in milliseconds. */
const keptCopiesMs = 30 * dayMs
/** Interval between attempts to take a lock that another process holds, in milliseconds. */
const lockEveryMs = 20

/**
 * Takes the lock of the process that serves a data folder. Waits for another process as long as the configuration
 * allows, then throws DataFolderServed.
 */
export const lockFolder = (layout: Layout, config: Config): Promise<HeldLock> =>
  waitForLock(
    async () => holdLock(layout.serveLock, 'The data folder is being served.'),
    config,
    () => new DataFolderServed(config.data),
  )

/** Makes the process the node that serves a database, or one of those that share limits. */
export async function holdDatabase(engine: Engine, config: Config, opened: AsyncDisposableStack) {
  const cluster = opened.adopt(await joinNodes(engine, config), nodes => nodes?.close())
  const databaseLock = cluster ?? opened.adopt(await lockDatabase(engine, config), held => held?.release())
  await requireStaying(engine)
  return { cluster, databaseLock }
}

/**
 * Registers the process among the nodes that share limits; undefined if they are not shared. Waits for a node that does
 * not share them as long as the configuration allows, then throws LockHeld.
 */
async function joinNodes(engine: Engine, config: Config): Promise<Cluster | undefined> {
  const shared = findSharedLimits(config)
  if (!shared) return undefined
  const node = {
    ...{ name: hostname(), release: packageVersion(), cache: shared.name, config: digestConfig(config) },
    isStoring: config.journal.ship === 'before-answer',
  }
  return waitForLock(
    () => engine.joinCluster(node),
    config,
    held => held,
  )
}

/**
 * Takes the lock of the node that serves a database, because several nodes would each apply the limits alone; undefined
 * without a database. Waits for another node as long as the configuration allows, then throws LockHeld.
 */
async function lockDatabase({ descriptor, locks }: Engine, config: Config): Promise<Lock | undefined> {
  if (descriptor.kind === 'sqlite' || config.limits.shared !== undefined) return undefined
  const message = 'Another node serves this database. Stop it first, or set limits.shared on all nodes.'
  return waitForLock(
    () => locks.hold('serve', message),
    config,
    held => held,
  )
}

/** Throws StoreError while the contents of the database are being moved to a data folder. */
export async function requireStaying({ nodes }: Engine): Promise<void> {
  if (await nodes?.isMoving())
    throw new StoreError('The contents of the database are being moved to a data folder. Wait until that has ended.')
}

async function waitForLock<T>(hold: () => Promise<T>, config: Config, late: (held: LockHeld) => LockHeld): Promise<T> {
  for (const untilMs = performance.now() + config.server.lockWaitMs; ; await delay(lockEveryMs)) {
    try {
      return await hold()
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      if (performance.now() >= untilMs) throw late(error)
    }
  }
}

/** Interval between looks for the request to end, in milliseconds. */
const requestEveryMs = 250

/** Dependencies of the wait for the end of a service. */
interface EndParts {
  readonly layout: Layout
  readonly engine: Pick<Engine, 'nodes'>
  readonly log: Logger
  /** The lock of a node that serves the database. */
  readonly databaseLock: Pick<Lock, 'lost'> | undefined
}

/**
 * Resolves when a process that moves the data folder or the database asks for the end of the service, or when another
 * node serves the database, because the connection with its lock had ended.
 */
export function watchEndRequest(
  { layout, engine, log, databaseLock }: EndParts,
  opened: AsyncDisposableStack,
): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  databaseLock?.lost.addEventListener('abort', () => {
    log.error('Another node has begun to serve the database while this one had no connection, so the service ends.')
    resolve(undefined)
  })
  const timer = setInterval(() => {
    if (!isEndRequested(layout.root)) return
    clearInterval(timer)
    log.info({ folder: layout.root }, 'The data is being moved to a database, so the service ends.')
    resolve(undefined)
  }, requestEveryMs)
  opened.defer(() => clearInterval(timer))
  return Promise.race([promise, watchMove({ engine, log }, opened)])
}

/** Interval between looks at the database for a move to a data folder, in milliseconds. */
const moveEveryMs = 1000

/** Resolves when a process that moves the contents of the database to a data folder asks for the end of the others. */
export function watchMove(
  { engine: { nodes }, log }: Omit<EndParts, 'layout' | 'databaseLock'>,
  opened: AsyncDisposableStack,
): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  if (!nodes) return promise
  let isAsked = false
  const look = async () => {
    if (isAsked || !(await nodes.isMoving())) return
    isAsked = true
    log.info('The contents of the database are being moved to a data folder, so the service ends.')
    resolve(undefined)
  }
  // Without the database, nothing moves.
  const looks = repeat(look, { everyMs: moveEveryMs, onError: () => {} })
  opened.defer(() => looks.stop())
  return promise
}

/** Logs which parts of the data folder were recreated, and what that lost. */
export function logRecreation(outcomes: readonly PartOutcome[], log: Logger): void {
  for (const { part, isRecreated, message } of outcomes) log[isRecreated ? 'warn' : 'info']({ part }, message)
}

/**
 * Warns if other users of the machine can read the data folder. It is not changed: an operator may have granted this
 * access. Members of its group are not reported, because mounts such as those of Kubernetes grant it to them.
 */
export function warnOfReadableFiles({ root }: Layout, log: Logger): void {
  const isOpen = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & othersMask) !== 0
  const found = isOpen(root) ? readdirSync(root).filter(name => isOpen(join(root, name))) : []
  if (found.length > 0)
    log.warn(
      { folder: root, readable: found },
      `Other users of this machine can read ${root}. Run 'chmod -R o-rwx ${root}' unless this is intended.`,
    )
}

/** The permissions of users who are neither the owner nor in the group. */
const othersMask = 0o007

/** Logs that a damaged file was replaced. */
export const logReplacedFile = (log: Logger, replaced: ReplacedFile): void =>
  log.warn(replaced, describeReplacedFile(replaced))

/** Opens and upgrades all stores, and removes old copies that schema upgrades made. */
export async function openServingEngine(config: Config, clock: Clock, log: Logger): Promise<Engine> {
  const engine = openEngine(describeServingEngine(config), {
    create: false,
    clock,
    onReplaced: replaced => logReplacedFile(log, replaced),
  })
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
export const storePublicUrl = (file: string, url: string): void => replaceFile(file, `${url}\n`)
