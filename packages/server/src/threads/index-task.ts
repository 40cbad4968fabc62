/**
 * The index thread: loads the file of the search index into shared memory, after building it if requested; or moves its
 * files between the folder and the blobs.
 */
import type { IndexResult, IndexTask } from '../compose/index-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { loadIndex } from '../search/index/file.ts'

serveRequests<IndexTask, IndexResult>(async task => {
  if (task.kind === 'load') return loadIndex(task.index, task.held)
  if (task.kind !== 'build') return moveFiles(task)
  // Imported only for a build: loading does not need the store, and each start of a service loads the index.
  const { buildIndex } = await import('../compose/build-index.ts')
  const { openEngine } = await import('../store/engine.ts')
  const engine = openEngine(task.engine, { create: false })
  try {
    const { index, partPlaces, held } = task
    await buildIndex(engine, index, { nowMs: systemClock.nowMs(), partPlaces, held })
  } finally {
    await engine.close()
  }
  return loadIndex(task.index, task.held)
})

async function moveFiles(task: Extract<IndexTask, { readonly blobs: string }>): Promise<IndexResult> {
  const { findBlobs } = await import('../compose/blobs.ts')
  const { fetchIndex, uploadIndex } = await import('../compose/shared-index.ts')
  const blobs = (await findBlobs(task))!
  return task.kind === 'upload'
    ? uploadIndex(blobs, task.index, task.newest)
    : fetchIndex(blobs, task.newest, task.index)
}
