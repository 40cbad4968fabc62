import type { ImportEvent } from '../usecases/admin/import-request.ts'
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
    if (event.step === 'end') {
      shown?.stop()
      shown = undefined
    } else if (event.phase === 'input') {
      if (event.step === 'start') start(event.name, event.totalBytes)
      else update(event.bytes, event.rows)
    } else if (event.phase === 'removal') {
      if (event.step === 'start') start('removing missing records', undefined)
      else update(0, event.rows)
    } else {
      if (!shown) start('search index', event.totalRows)
      update(event.rows, event.rows)
    }
  }
}
