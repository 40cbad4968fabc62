import { constants } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScanQuery } from '../../domain/review-list.ts'
import { type ReviewScans, scansKeptMs } from '../../domain/review-scans.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Layout } from './layout.ts'

const idPattern = /^job_[\w-]+$/
/** Adds to a file that exists: one that an erasure has removed stays removed. */
const appendOnly = constants.O_WRONLY | constants.O_APPEND

/** Opens the scans of a data folder. Each is a file: a line with the query, then a line for each id. */
export function openFolderScans({ jobs }: Layout, clock: Clock): ReviewScans {
  const folder = join(jobs, 'scans')
  const fileOf = (scan: string) => join(folder, scan)
  const expire = async () => {
    for (const name of await listFiles(folder)) {
      const modifiedMs = await stat(fileOf(name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      )
      if (modifiedMs !== undefined && modifiedMs < clock.nowMs() - scansKeptMs) await rm(fileOf(name), { force: true })
    }
  }
  return {
    create: async (scan, query) => {
      await expire()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(fileOf(scan), `${JSON.stringify(query)}\n`, { flag: 'wx', mode: 0o600 })
    },
    read: async scan => {
      await expire()
      const text = idPattern.test(scan) ? await orMissing(readFile(fileOf(scan), 'utf8')) : undefined
      if (text === undefined) return undefined
      const [query = '', ...ids] = text.trimEnd().split('\n')
      return { query: JSON.parse(query) as ScanQuery, ids: ids.map(BigInt) }
    },
    add: async (scan, ids) => {
      const lines = ids.map(id => `${id}\n`).join('')
      return (await orMissing(appendFile(fileOf(scan), lines, { flag: appendOnly }).then(() => true))) ?? false
    },
    remove: async scan => rm(fileOf(scan), { force: true }),
    clear: async () => rm(folder, { recursive: true, force: true }),
  }
}

const listFiles = async (folder: string): Promise<string[]> => (await orMissing(readdir(folder))) ?? []

/** Resolves with undefined if the file or folder does not exist. */
async function orMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
