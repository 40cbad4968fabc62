import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/load.ts'
import type { SnapshotKind } from '../domain/feed.ts'
import type { FeedBuildRequest, FeedBuildResult } from '../domain/feed-build.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { Engine, Lock, Locks } from '../domain/stores.ts'
import { buildEdition, type EditionBuild } from '../feeds/build.ts'
import type { BuildContext } from '../feeds/build-context.ts'
import { type PlannedEdition, planEditions } from '../feeds/editions.ts'
import { type ErasedSnapshot, withdrawErased } from '../feeds/erasure.ts'
import { listEditions } from '../feeds/list-editions.ts'
import { expireSnapshots, findDueKind, lacksFull } from '../feeds/retention.ts'
import { clearWithheld, readWithheld } from '../feeds/withheld.ts'
import type { FeedWorkspace } from '../feeds/workspace.ts'
import type { Clock } from '../kit/clock.ts'
import { hourMs } from '../kit/time.ts'
import { type Layout, openLayout } from '../store/folder/layout.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { recordFeedEvents } from './feed-events.ts'
import { createBuildContext, findFeedKeys, getRetentionAges, tryLock, withFeedSource } from './feed-folder.ts'
import { openFeedWorkspace } from './shared-feeds.ts'

/** Callbacks during a build. */
export interface FeedBuildHooks {
  /** Called once if another build holds the lock, before this one waits for it. An exception ends this build. */
  onWaiting?(): void
  /** Called before each edition; `isFallback` is true if a full snapshot is built although a delta was requested. */
  onStart?(edition: PlannedEdition, kind: SnapshotKind, isFallback: boolean): void
  /** Called with each damaged file of an earlier snapshot; the build continues without it. */
  onDamaged?(file: string): void
  /** Called periodically with the number of records read so far. */
  onProgress?(done: number, total: number | undefined): void
  /** Called after each edition. */
  onEnd?(): void
}

/** Engines of this process whose snapshots all have their events. */
const searchedForEvents = new WeakSet<Engine>()

/** Interval between attempts to take the build lock, in milliseconds. */
const lockRetryMs = 200

/** Builds feeds of a data folder; waits while another build holds the lock. */
export async function runFeedBuild(
  engine: Engine,
  config: Config,
  clock: Clock,
  request: FeedBuildRequest,
  hooks: FeedBuildHooks = {},
): Promise<FeedBuildResult> {
  const layout = openLayout(config.data)
  const lock = await waitForLock(engine.locks, hooks)
  try {
    const workspace = await openFeedWorkspace(config, layout, engine)
    const { root } = workspace
    const planned = await editionsFor(config, engine.keys, clock.nowMs())
    const withdrawn = await withdraw(engine, workspace, clock, true)
    const builds = await buildAll(engine, config, layout, workspace, clock, planned, request, hooks)
    for (const edition of listEditions(root)) {
      expireSnapshots(root, edition, getRetentionAges(config), clock.nowMs())
      const isPlanned = planned.some(({ feed, version }) => feed === edition.feed && version === edition.version)
      if (!isPlanned) clearWithheld(root, edition)
    }
    await workspace.commit()
    if (withdrawn.length > 0 || builds.length > 0 || !searchedForEvents.has(engine))
      await recordFeedEvents(engine, root, clock.nowMs())
    searchedForEvents.add(engine)
    return {
      built: builds.flatMap(build =>
        'manifests' in build ? build.manifests.map(manifest => ({ manifest, seconds: build.seconds })) : [],
      ),
      withheld: builds.flatMap(build => ('withheld' in build ? [build.withheld] : [])),
    }
  } finally {
    await lock.release()
  }
}

type TimedBuild = EditionBuild & { readonly seconds: number }

/** Builds the planned editions that the request names and that need a snapshot. */
async function buildAll(
  engine: Engine,
  config: Config,
  layout: Layout,
  workspace: FeedWorkspace,
  clock: Clock,
  planned: readonly PlannedEdition[],
  request: FeedBuildRequest,
  hooks: FeedBuildHooks,
): Promise<TimedBuild[]> {
  const { feeds, versions } = request
  const work = planned
    .filter(({ feed, version }) => (feeds?.includes(feed) ?? true) && (versions?.includes(version) ?? true))
    .flatMap(edition => {
      const kind = kindFor(config, workspace.root, edition, request, clock.nowMs())
      return kind ? [{ edition, kind }] : []
    })
  if (work.length === 0) return []
  const builds: TimedBuild[] = []
  await withFeedSource(engine, async source => {
    const force = request.force === true
    const context = createBuildContext(config, { layout, workspace, source, atMs: clock.nowMs(), force })
    for (const item of work) {
      builds.push(await buildOne(context, item, request, hooks))
      await workspace.commit()
      // The new snapshots contain records that were erased during the build.
      await withdraw(engine, workspace, clock, true)
    }
  })
  return builds
}

/**
 * Withdraws the snapshots that contain an erased record, and returns them; while a build is running, only if nodes do
 * not share feeds. The next build makes new full snapshots.
 */
export async function withdrawErasedSnapshots(engine: Engine, config: Config, clock: Clock): Promise<ErasedSnapshot[]> {
  const layout = openLayout(config.data)
  if (config.blobs === undefined && !existsSync(layout.feeds)) return []
  const lock = await tryLock(engine.locks)
  // Only one process at a time changes shared feeds: the running build withdraws the snapshots after each edition.
  if (!lock && config.blobs !== undefined) return []
  try {
    const workspace = await openFeedWorkspace(config, layout, engine)
    const withdrawn = await withdraw(engine, workspace, clock, lock !== undefined)
    if (withdrawn.length > 0) await recordFeedEvents(engine, workspace.root, clock.nowMs())
    return withdrawn
  } finally {
    await lock?.release()
  }
}

/** Returns the editions to build: those that keys with feeds are pinned to. */
async function editionsFor(config: Config, keys: KeyAdmin, nowMs: number): Promise<PlannedEdition[]> {
  const pins = (await findFeedKeys(config, keys)).map(key => key.feedPins)
  return planEditions(resolveLifecycle(config), pins, config.feeds.endedVersions, nowMs)
}

/** Interval between automatic builds of an edition that is withheld, in milliseconds. */
const withheldRetryMs = hourMs

function kindFor(
  config: Config,
  root: string,
  edition: PlannedEdition,
  { kind }: FeedBuildRequest,
  nowMs: number,
): SnapshotKind | undefined {
  if (kind === 'full') return kind
  const due = findDueKind(root, edition, getRetentionAges(config), nowMs)
  if (kind === 'due') {
    const withheld = readWithheld(root, edition)
    if (!withheld) return due
    return Math.abs(nowMs - withheld.triedMs) >= withheldRetryMs ? (due ?? 'delta') : undefined
  }
  if (kind === 'delta') return lacksFull(root, edition) ? 'full' : 'delta'
  return due ?? 'delta'
}

async function buildOne(
  context: BuildContext,
  { edition, kind }: { edition: PlannedEdition; kind: SnapshotKind },
  request: FeedBuildRequest,
  hooks: FeedBuildHooks,
): Promise<TimedBuild> {
  const startMs = performance.now()
  hooks.onStart?.(edition, kind, request.kind === 'delta' && kind === 'full')
  try {
    const build = await buildEdition(context, edition, kind, {
      onProgress: (done, total) => hooks.onProgress?.(done, total),
      onDamaged: file => hooks.onDamaged?.(file),
    })
    return { ...build, seconds: (performance.now() - startMs) / 1000 }
  } finally {
    hooks.onEnd?.()
  }
}

async function withdraw(
  engine: Engine,
  workspace: FeedWorkspace,
  clock: Clock,
  remember: boolean,
): Promise<ErasedSnapshot[]> {
  const withdrawn = await withFeedSource(engine, source =>
    withdrawErased(workspace, source, clock.nowMs(), { remember }),
  )
  await workspace.commit()
  return withdrawn
}

async function waitForLock(locks: Locks, hooks: FeedBuildHooks): Promise<Lock> {
  for (let reported = false; ; reported = true) {
    const lock = await tryLock(locks)
    if (lock) return lock
    if (!reported) hooks.onWaiting?.()
    await wait(lockRetryMs)
  }
}
