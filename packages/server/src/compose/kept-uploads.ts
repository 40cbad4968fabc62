import { copyFileSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hourMs } from '../kit/time.ts'
import { namesIn } from '../store/folder/names-in.ts'

/** Time for which an input is kept, in milliseconds. */
export const keptMs = hourMs
/** Maximum number of inputs that are kept; the oldest ones are removed first. */
export const maxKept = 3

/** The inputs of dry runs, kept for the imports that follow them. */
export interface KeptUploads {
  /** Keeps the input of a job. */
  keep(job: string, file: string): Promise<void>
  /** Makes a kept input available as `file`, and returns its size in bytes; undefined if it is not kept any more. */
  reuse(job: string, file: string): Promise<number | undefined>
  isKept(job: string): Promise<boolean>
  remove(job: string): Promise<void>
}

/**
 * Keeps inputs in a folder of their own, where no blobs are configured. Those that another process has left are removed
 * after their time as well: they may contain a text that is erased.
 */
export function keepUploads(folder: string): KeptUploads {
  const fileOf = (job: string) => join(folder, job)
  let timer: NodeJS.Timeout | undefined
  const sweep = () => {
    const nowMs = Date.now()
    const found = namesIn(folder).map(name => ({ name, ms: modifiedMs(fileOf(name)) }))
    const newestFirst = found.toSorted((a, b) => b.ms - a.ms)
    const kept = newestFirst.filter(({ ms }, i) => ms > nowMs - keptMs && i < maxKept)
    for (const { name } of newestFirst.slice(kept.length)) rmSync(fileOf(name), { force: true })
    clearTimeout(timer)
    const oldest = kept.at(-1)
    // A clock that was set back does not extend the time.
    if (oldest) timer = setTimeout(sweep, Math.min(keptMs, oldest.ms + keptMs - nowMs) + 1).unref()
  }
  sweep()
  return {
    keep: async (job, file) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      linkOrCopy(file, fileOf(job))
      sweep()
    },
    reuse: async (job, file) => {
      sweep()
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        linkOrCopy(fileOf(job), file)
        return statSync(file).size
      } catch {
        return undefined
      }
    },
    isKept: async job => {
      sweep()
      return namesIn(folder).includes(job)
    },
    remove: async job => rmSync(fileOf(job), { force: true }),
  }
}

const modifiedMs = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Not all file systems have hard links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
