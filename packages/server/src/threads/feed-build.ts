/**
 * The feed-build thread: builds feeds once, at low priority and with a small separate heap, so that the memory of a
 * build does not grow with the data.
 */
import { runFeedBuild } from '../compose/build-feeds.ts'
import { printReplacedFile } from '../compose/engine.ts'
import type { FeedBuildOutcome, FeedBuildTask } from '../compose/feed-build-thread.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import type { FeedBuildEvent } from '../domain/feed-build.ts'
import { findDiskFailure, MissingDataFolder, NewerSchema, UnusableDataFolder } from '../domain/store-errors.ts'
import { UnusableSigningKey } from '../feeds/signing-key.ts'
import { NoSpace } from '../feeds/space.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import { openEngine } from '../store/engine.ts'

/** Thrown if another build is running and this one must not wait for it. */
class BuildRunning extends Error {}

lowerPriority()
serveRequests<FeedBuildTask, FeedBuildOutcome, unknown, FeedBuildEvent>(async (task, { emit }) => {
  try {
    return await build(task, emit)
  } catch (error) {
    const fault = toFault(error)
    if (!fault) throw error
    return fault
  }
})

/** Returns the fault of an expected error. */
function toFault(error: unknown): AdminFault | undefined {
  if (error instanceof BuildRunning) return adminFault('feed_build_running', [], {})
  if (error instanceof NoSpace) return adminFault('feed_space_missing', [], error.facts)
  if (error instanceof UnusableSigningKey)
    return adminFault('signing_key_unusable', [], { file: error.file, problem: error.problem })
  if (error instanceof MissingDataFolder) return adminFault('data_folder_missing', [], { folder: error.folder })
  if (error instanceof UnusableDataFolder)
    return adminFault('data_folder_unusable', [], { folder: error.folder, defects: error.defects })
  if (error instanceof NewerSchema) {
    const { store, found, known } = error
    return adminFault('schema_newer', [], { store, found, known })
  }
  const failure = findDiskFailure(error)
  return failure && adminFault('disk_failed', [], { kind: failure.kind, file: failure.file ?? 'A file' })
}

async function build(
  { engine: descriptor, config, request, mayWait }: FeedBuildTask,
  emit: (event: FeedBuildEvent) => void,
): Promise<FeedBuildOutcome> {
  const engine = openEngine(descriptor, { create: false, onReplaced: printReplacedFile })
  try {
    return await runFeedBuild(engine, config, systemClock, request, {
      onWaiting: () => {
        if (!mayWait) throw new BuildRunning()
        emit({ type: 'waiting' })
      },
      onStart: ({ feed, version }, kind, isFallback) => emit({ type: 'start', feed, version, kind, isFallback }),
      onDamaged: file => emit({ type: 'damaged', file }),
      onProgress: (done, total) => emit({ type: 'progress', done, total }),
      onEnd: () => emit({ type: 'end' }),
    })
  } finally {
    await engine.close()
  }
}
