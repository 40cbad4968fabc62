import { describeDamaged } from '../compose/feed-status.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import type { FeedBuildEvent } from '../domain/feed-build.ts'
import { type Progress, showProgress } from './progress.ts'

/** Returns a function that prints the events of a build to standard error. */
export function eventPrinter(): (event: FeedBuildEvent) => void {
  let shown: Progress | undefined
  let name = ''
  let startMs = 0
  return event => {
    switch (event.type) {
      case 'waiting':
        process.stderr.write('Waiting for another build of feeds to finish.\n')
        break
      case 'start':
        name = `${event.feed} v${event.version} ${event.kind}`
        startMs = performance.now()
        if (event.isFallback)
          process.stderr.write(
            `${event.feed} v${event.version}: no full snapshot exists, so a full one is built instead of a delta.\n`,
          )
        break
      case 'damaged':
        process.stderr.write(`${describeDamaged(event.file)} The build continues without it.\n`)
        break
      case 'progress':
        shown ??= showProgress(name, event.total)
        shown.update({ bytes: event.done, rows: event.done, seconds: (performance.now() - startMs) / 1000 })
        break
      case 'end':
        shown?.stop()
        shown = undefined
    }
  }
}

/** Records the progress of a build with its job. */
export function createBuildRecord(job: JobRecorder): (event: FeedBuildEvent) => void {
  let part = ''
  return event => {
    if (event.type === 'start') part = `${event.feed} v${event.version} ${event.kind}`
    if (event.type !== 'progress') return
    const { done, total } = event
    job.report({ phase: 'build', part, unit: 'records', done, ...(total !== undefined && { total }) })
  }
}
