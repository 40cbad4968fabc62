import { computeGrant } from '../access/grant.ts'
import type { Config } from '../config/load.ts'
import type { FeedSource } from '../domain/feed-stores.ts'
import type { Key } from '../domain/key.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { Engine, Lock, Locks } from '../domain/stores.ts'
import { everything } from '../domain/visibility.ts'
import type { BuildContext } from '../feeds/build-context.ts'
import { readHistory } from '../feeds/history.ts'
import { listEditions } from '../feeds/list-editions.ts'
import type { RetentionAges } from '../feeds/retention.ts'
import { loadPrivateKey } from '../feeds/signing-key.ts'
import { packageVersion } from '../kit/bundled.ts'
import { hourMs } from '../kit/time.ts'
import type { Layout } from '../store/folder/layout.ts'
import { findPublicUrl } from './public-url.ts'
import { getServiceUrl } from './service-url.ts'

const dayMs = 24 * hourMs

/** Returns the keys that may download feeds. */
export async function findFeedKeys(config: Config, keys: KeyAdmin): Promise<Key[]> {
  return (await keys.keys(everything)).filter(
    key => key.state !== 'revoked' && computeGrant(key, config).permissions.has('feeds'),
  )
}

/**
 * Creates the context of a build. Creates the signing key if it is missing and no snapshot is signed with it, or if
 * `force` is true. Throws UnusableSigningKey.
 */
export function createBuildContext(config: Config, inputs: ContextInputs): BuildContext {
  const { layout, workspace, source, atMs, force } = inputs
  const { root } = workspace
  const origin = {
    moment: source.position,
    storeId: source.storeId,
    publicUrl: findPublicUrl(config, layout) ?? getServiceUrl(config.server),
    release: packageVersion(),
  }
  const parts = { encoding: config.feeds.encoding, maxBytes: config.feeds.partMb * 1024 * 1024 }
  const isFirst = listEditions(root).every(edition => readHistory(root, edition).lastSequence === 0)
  const signingKey = loadPrivateKey(root, { create: force || isFirst })
  return { workspace, source, atMs, origin, parts, parquet: config.feeds.parquet, signingKey, force }
}

interface ContextInputs extends Pick<BuildContext, 'workspace' | 'source' | 'atMs' | 'force'> {
  readonly layout: Layout
}

/** Returns the configured ages of snapshots, in milliseconds. */
export function getRetentionAges({ feeds }: Config): RetentionAges {
  return {
    keepFullMs: feeds.keepFullDays * dayMs,
    keepDeltaMs: feeds.keepDeltaDays * dayMs,
    fullEveryMs: feeds.fullEveryHours * hourMs,
    deltaEveryMs: feeds.deltaEveryHours * hourMs,
  }
}

/** Calls `work` with a source of the current data, and closes the source afterwards. */
export async function withFeedSource<T>(engine: Engine, work: (source: FeedSource) => Promise<T>): Promise<T> {
  const source = await engine.openFeedSource()
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

/** Takes the build lock; returns undefined if another build holds it. */
export async function tryLock(locks: Locks): Promise<Lock | undefined> {
  try {
    return await locks.hold('feeds', 'Another build of feeds is running.')
  } catch (error) {
    if (error instanceof LockHeld) return undefined
    throw error
  }
}
