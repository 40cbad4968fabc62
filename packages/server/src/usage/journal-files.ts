import { closeSync, constants, fdatasync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How a file is kept: as written, compressed, or compressed without the calls that nobody is billed for. */
export type FileForm = 'plain' | 'whole' | 'billed'

const endings: Readonly<Record<FileForm, string>> = { plain: '.log', whole: '.log.zst', billed: '.billed.log.zst' }

export interface JournalFile {
  readonly number: number
  readonly form: FileForm
  readonly path: string
}

export const journalPath = (folder: string, number: number, form: FileForm = 'plain'): string =>
  join(folder, String(number).padStart(8, '0') + endings[form])

/** A folder that nobody has served from has no journal yet. */
function noneBefore(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** The files of a journal in the order of writing; of a file that is there in two forms, the plainer one. */
export const listJournal = async (folder: string): Promise<JournalFile[]> =>
  filesOf(folder, await readdir(folder).catch(noneBefore))

/** As `listJournal`, for start-up. */
export const listJournalSync = (folder: string): JournalFile[] => filesOf(folder, readdirSync(folder))

function filesOf(folder: string, names: readonly string[]): JournalFile[] {
  const files = new Map<number, JournalFile>()
  for (const form of ['billed', 'whole', 'plain'] as const) {
    for (const name of names) {
      const number = Number(name.slice(0, 8))
      if (/^\d{8}\./.test(name) && name.slice(8) === endings[form])
        files.set(number, { number, form, path: join(folder, name) })
    }
  }
  return [...files.values()].sort((a, b) => a.number - b.number)
}

/**
 * What the journal asks of a file system, so that a test can let it fail. The write is synchronous: it only hands some
 * kilobytes to the operating system, and a round trip through the thread pool costs more than that.
 */
export interface FileSystem {
  /** Opens for writing, and makes the file if need be. */
  open(path: string): number
  /** Writes from `offset` of the buffer at `position` of the file; may write less than asked. Throws with a `code`. */
  write(fd: number, buffer: Buffer, offset: number, position: number): number
  truncate(fd: number, length: number): void
  sync(fd: number): Promise<void>
  close(fd: number): void
}

/** Node's own. */
export const nodeFileSystem: FileSystem = {
  open: path => openSync(path, constants.O_CREAT | constants.O_WRONLY, 0o600),
  write: (fd, buffer, offset, position) => writeSync(fd, buffer, offset, buffer.length - offset, position),
  truncate: ftruncateSync,
  sync: promisify(fdatasync),
  close: closeSync,
}
