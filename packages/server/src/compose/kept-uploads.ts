import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hourMs } from '../kit/time.ts'

/** Time for which an input is kept, in milliseconds. */
const keptMs = hourMs
/** Maximum number of inputs that are kept; the oldest ones are removed first. */
const maxKept = 3

/** The inputs of dry runs, kept for the imports that follow them. */
export interface KeptUploads {
  /** Keeps the input of a job. */
  keep(job: string, file: string): void
  /** Makes a kept input available as `file`, and returns its size in bytes; undefined if it is not kept any more. */
  reuse(job: string, file: string): number | undefined
  isKept(job: string): boolean
  remove(job: string): void
}

/**
 * Keeps inputs in a folder of their own. Those that another process has left are removed after their time as well: they
 * may contain a text that is erased.
 */
export function keepUploads(folder: string): KeptUploads {
  const fileOf = (job: string) => join(folder, job)
  let timer: NodeJS.Timeout | undefined
  const sweep = () => {
    const nowMs = Date.now()
    const found = listFiles(folder).map(name => ({ name, ms: modifiedMs(fileOf(name)) }))
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
    keep: (job, file) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      linkOrCopy(file, fileOf(job))
      sweep()
    },
    reuse: (job, file) => {
      sweep()
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        linkOrCopy(fileOf(job), file)
        return statSync(file).size
      } catch {
        return undefined
      }
    },
    isKept: job => {
      sweep()
      return listFiles(folder).includes(job)
    },
    remove: job => rmSync(fileOf(job), { force: true }),
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
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
