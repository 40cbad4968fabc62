import type { CopyProgress } from '../domain/stores.ts'
import { type Progress, showProgress } from './progress.ts'

/** Runs a copy and shows the progress of each part on standard error. */
export async function withCopyProgress<T>(work: (progress: CopyProgress) => Promise<T>): Promise<T> {
  let shown: { name: string; progress: Progress; startMs: number } | undefined
  try {
    return await work((name, doneBytes, totalBytes) => {
      if (shown?.name !== name) {
        shown?.progress.stop()
        shown = { name, progress: showProgress(name, totalBytes, 'MB'), startMs: performance.now() }
      }
      const seconds = (performance.now() - shown.startMs) / 1000
      shown.progress.update({ bytes: doneBytes, rows: Math.round(doneBytes / 1e6), seconds })
    })
  } finally {
    shown?.progress.stop()
  }
}
