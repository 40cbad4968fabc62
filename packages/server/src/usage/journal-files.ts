import { closeSync, constants, fdatasync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Storage form of a journal file: as written, compressed, or compressed without unbilled calls. */
export type FileForm = 'plain' | 'compressed' | 'billedOnly'

const extensions: Readonly<Record<FileForm, string>> = {
  plain: '.log',
  compressed: '.log.zst',
  billedOnly: '.billed.log.zst',
}

/** A file of a journal. */
export interface JournalFile {
  readonly number: number
  readonly form: FileForm
  readonly path: string
}

/** Returns the path of a journal file. */
export const journalPath = (folder: string, number: number, form: FileForm = 'plain'): string =>
  join(folder, String(number).padStart(8, '0') + extensions[form])

/** Returns no names for a missing folder: a data folder that was never served has no journal. */
function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Lists the files of a journal in the order of writing. If a file exists in two forms, returns the more complete form. */
export const listJournal = async (folder: string): Promise<JournalFile[]> =>
  selectFiles(folder, await readdir(folder).catch(emptyIfMissing))

/** Synchronous `listJournal` for start-up; throws if the folder is missing. */
export const listJournalSync = (folder: string): JournalFile[] => selectFiles(folder, readdirSync(folder))

function selectFiles(folder: string, names: readonly string[]): JournalFile[] {
  const files = new Map<number, JournalFile>()
  for (const form of ['billedOnly', 'compressed', 'plain'] as const) {
    for (const name of names) {
      const number = Number(name.slice(0, 8))
      if (/^\d{8}\./.test(name) && name.slice(8) === extensions[form])
        files.set(number, { number, form, path: join(folder, name) })
    }
  }
  return [...files.values()].sort((a, b) => a.number - b.number)
}

/**
 * The file operations of the journal; tests replace them to simulate failures. The write is synchronous: it only passes some
 * kilobytes to the operating system, which costs less than a round trip through the thread pool.
 */
export interface FileSystem {
  /** Opens a file for writing, and creates it if it is missing. */
  open(path: string): number
  /**
   * Writes the buffer, starting at `offset`, to `position` of the file. Returns the number of bytes written, which may be less
   * than the rest of the buffer. Throws an error with a `code`.
   */
  write(fd: number, buffer: Buffer, offset: number, position: number): number
  truncate(fd: number, length: number): void
  sync(fd: number): Promise<void>
  close(fd: number): void
}

/** The file system of Node. */
export const nodeFileSystem: FileSystem = {
  open: path => openSync(path, constants.O_CREAT | constants.O_WRONLY, 0o600),
  write: (fd, buffer, offset, position) => writeSync(fd, buffer, offset, buffer.length - offset, position),
  truncate: ftruncateSync,
  sync: promisify(fdatasync),
  close: closeSync,
}
