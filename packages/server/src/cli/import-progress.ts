import type { ImportHolder } from '../domain/importer.ts'
import type { ImportEvent } from '../usecases/admin/import-request.ts'
import { dryRunText } from './import-text.ts'
import { type Progress, showProgress } from './progress.ts'

/** Returns a function that shows the events of an import on standard error. */
export function importProgress(): (event: ImportEvent) => void {
  let shown: Progress | undefined
  let startMs = 0
  const start = (name: string, total: number | undefined) => {
    startMs = performance.now()
    shown = showProgress(name, total)
  }
  const update = (done: number, rows: number) =>
    shown?.update({ bytes: done, rows, seconds: (performance.now() - startMs) / 1000 })
  return event => {
    if (event.phase === 'queue') process.stderr.write(`${queueText(event.holder)}\n`)
    else if (event.step === 'end') {
      shown?.stop()
      shown = undefined
    } else if (event.phase === 'input') {
      if (event.step === 'start') start(event.name, event.totalBytes)
      else if (event.step === 'progress') update(event.bytes, event.rows)
    } else if (event.phase === 'removal') {
      if (event.step === 'start') start('removing missing records', undefined)
      else update(0, event.rows)
    } else {
      if (!shown) start('search index', event.totalRows)
      update(event.rows, event.rows)
    }
  }
}

/** Returns a function that prints what each input of a dry run is, and its first records, as soon as they are read. */
export const dryRunSamples = (): ((event: ImportEvent) => void) => event => {
  if (event.phase === 'input' && event.step === 'sampled') process.stdout.write(`${dryRunText(event)}\n`)
}

/** Returns the sentence that names the import that another one waits for. */
export function queueText(holder: ImportHolder | undefined): string {
  const what = holder
    ? `import ${holder.job}, which ${holder.actor.id} started ${formatSeconds(holder.seconds)} ago,`
    : 'another import'
  return `Waiting for ${what} to end. Press Ctrl+C to stop waiting; --no-wait fails at once instead.`
}

const formatSeconds = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.floor(seconds / 60)} min`
      : `${Math.floor(seconds / 3600)} h`
