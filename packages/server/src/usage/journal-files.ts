import { closeSync, constants, type Dirent, fdatasync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Form of a journal file in its folder: as written, compressed, or compressed without unbilled calls. */
export type FolderForm = 'plain' | 'compressed' | 'billedOnly'

/** `shipped`: only in the blobs, compressed. */
export type FileForm = FolderForm | 'shipped'

const extensions: Readonly<Record<FolderForm, string>> = {
  plain: '.log',
  compressed: '.log.zst',
  billedOnly: '.billed.log.zst',
}

/** From the least to the most complete form. */
const fileForms = ['billedOnly', 'compressed', 'plain'] as const

/** A file of a journal. */
export interface JournalFile {
  readonly number: number
  readonly form: FileForm
  /** Path of the file, or its key in the blobs. */
  readonly path: string
  /** Number of uncompressed bytes of a shipped file. */
  readonly bytes?: number
}

/** Returns the path of a journal file. */
export const journalPath = (folder: string, number: number, form: FolderForm = 'plain'): string =>
  join(folder, String(number).padStart(8, '0') + extensions[form])

/** An entry of the journal's folder whose name is the name of a journal file. */
interface NumberedEntry {
  readonly number: number
  readonly form: FolderForm
  readonly isFile: boolean
}

/** Returns no entries for a missing folder. */
function emptyIfMissing(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Lists the files of a journal in ascending order. If a file exists in two forms, returns the more complete form. */
export const listJournal = async (folder: string): Promise<JournalFile[]> =>
  selectFiles(folder, await readdir(folder, { withFileTypes: true }).catch(emptyIfMissing))

/** Synchronous `listJournal` for start-up; throws if the folder is missing. */
export const listJournalSync = (folder: string): JournalFile[] =>
  selectFiles(folder, readdirSync(folder, { withFileTypes: true }))

/** The files of a journal, and all numbers that occur in names of its folder. */
export interface JournalScan {
  readonly files: readonly JournalFile[]
  readonly taken: readonly number[]
}

/** Reads the journal's folder; a missing one is empty. */
export async function scanJournal(folder: string): Promise<JournalScan> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(emptyIfMissing)
  return { files: selectFiles(folder, entries), taken: entries.flatMap(entry => parseEntry(entry)?.number ?? []) }
}

/** Returns all numbers that a new file cannot have, because a file, a folder or another entry has it in its name. */
export const listTakenNumbers = (folder: string): number[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => parseEntry(entry)?.number ?? [])

function parseEntry(entry: Dirent): NumberedEntry | undefined {
  if (!/^\d{8}\./.test(entry.name)) return undefined
  const form = fileForms.find(name => entry.name.slice(8) === extensions[name])
  return form && { number: Number(entry.name.slice(0, 8)), form, isFile: entry.isFile() }
}

function selectFiles(folder: string, entries: readonly Dirent[]): JournalFile[] {
  const found = entries.flatMap(entry => parseEntry(entry) ?? []).filter(({ isFile }) => isFile)
  const files = new Map<number, JournalFile>()
  for (const form of fileForms) {
    for (const { number } of found.filter(entry => entry.form === form))
      files.set(number, { number, form, path: journalPath(folder, number, form) })
  }
  return [...files.values()].sort((a, b) => a.number - b.number)
}

/**
 * Largest difference between the numbers of consecutive files. The writer counts up by one; only removed and stray
 * files make larger steps.
 */
const maxStep = 1000
/**
 * Largest number of the first file of a sequence. Larger ones belong to stray files, so that numbers always have eight
 * digits.
 */
const maxFirst = 50_000_000

/**
 * Returns the last number of the sequence that the writer has made of the given ones, 0 without a sequence. Stray files
 * are not part of it.
 */
export function findSequenceEnd(numbers: Iterable<number>): number {
  let end = 0
  for (const number of [...numbers].sort((a, b) => a - b)) {
    if (number - end > (end === 0 ? maxFirst : maxStep)) break
    end = number
  }
  return end
}

/** Returns the first number after `number` that is not taken. */
export function findNextNumber(number: number, taken: Iterable<number>): number {
  const used = new Set(taken)
  let next = number + 1
  while (used.has(next)) next++
  return next
}

/**
 * The file operations of the journal; tests replace them to simulate failures. The write is synchronous: it only passes
 * some kilobytes to the operating system, which costs less than a round trip through the thread pool.
 */
export interface FileSystem {
  /** Opens a file for reading and writing, and creates it if it is missing. */
  open(path: string): number
  /**
   * Writes the buffer, starting at `offset`, to `position` of the file. Returns the number of bytes written, which may
   * be less than the rest of the buffer. Throws an error with a `code`.
   */
  write(fd: number, buffer: Buffer, offset: number, position: number): number
  truncate(fd: number, length: number): void
  sync(fd: number): Promise<void>
  close(fd: number): void
}

/** The file system of Node. */
export const nodeFileSystem: FileSystem = {
  open: path => openSync(path, constants.O_CREAT | constants.O_RDWR, 0o600),
  write: (fd, buffer, offset, position) => writeSync(fd, buffer, offset, buffer.length - offset, position),
  truncate: ftruncateSync,
  sync: promisify(fdatasync),
  close: closeSync,
}
