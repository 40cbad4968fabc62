import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Importing } from '../compose/import.ts'
import type { RecordKind } from '../domain/stores.ts'
import { type ImportOptions, importInput } from '../ingest/import.ts'
import { openInput, UnreadableInput } from '../ingest/input.ts'
import { UnclearInput } from '../ingest/mapping/mapping.ts'
import type { InputDescription } from '../ingest/observer.ts'
import type { Report } from '../ingest/report.ts'
import type { Rejection } from '../ingest/row.ts'
import { unclearSentence } from './import-report.ts'
import { Failed, WrongUse } from './outcome.ts'
import { showProgress } from './progress.ts'

/** A finished import of one input. */
export interface Imported {
  readonly kind: RecordKind
  readonly report: Report
  /** undefined when the input was not read at all. */
  readonly description: InputDescription | undefined
  /** The first records, as they went into the store. */
  readonly samples: readonly object[]
  /** What the numbers of rejected rows count. */
  readonly unit: string
  /** Where the rejected rows lie; undefined when there are none. */
  readonly rejectsFile: string | undefined
  /** The first few rejections, for the screen. */
  readonly firstRejections: readonly (Rejection & { readonly line: number })[]
}

const shownRejections = 5

/** Imports one file with progress on standard error; rejected rows go to `rejectsFile`. */
export async function runImport(
  path: string,
  importing: Importing,
  options: ImportOptions,
  rejectsFile: string,
): Promise<Imported> {
  const input = opened(path)
  const rejects = rejectsWriter(rejectsFile)
  const progress = showProgress(input.name, input.totalBytes)
  const first: (Rejection & { line: number })[] = []
  const samples: object[] = []
  let description: InputDescription | undefined
  try {
    const report = await importInput(
      input,
      importing.writer,
      options,
      {
        described: found => {
          description = found
        },
        sample: record => samples.push(record),
        progress: ({ read, seconds }) => progress.update({ bytes: input.readBytes(), rows: read, seconds }),
        rejected: (line, text, rejection) => {
          if (first.length < shownRejections) first.push({ line, ...rejection })
          // What was erased is not written down again.
          rejects.write({ line, ...rejection, ...(rejection.reason !== 'erased' && { row: text }) })
        },
      },
      importing.clock,
    )
    return {
      kind: description?.kind ?? 'location',
      report,
      description,
      samples,
      unit: description?.unit ?? 'line',
      rejectsFile: await rejects.close(),
      firstRejections: first,
    }
  } catch (error) {
    await rejects.close()
    throw error instanceof UnreadableInput
      ? new Failed(error.message)
      : error instanceof UnclearInput
        ? new WrongUse(unclearSentence(error))
        : error
  } finally {
    progress.stop()
  }
}

/** Brings the search index up to date after imports, with progress on standard error. */
export async function indexWhatChanged(importing: Importing, reports: readonly Report[]): Promise<void> {
  const changed = reports.reduce((sum, { added, changed, removed }) => sum + added + changed + removed, 0)
  let progress: ReturnType<typeof showProgress> | undefined
  const startMs = performance.now()
  await importing.buildIndex(changed, (done, total) => {
    progress ??= showProgress('search index', total)
    progress.update({ bytes: done, rows: done, seconds: (performance.now() - startMs) / 1000 })
  })
  progress?.stop()
}

/** A name for the rejected rows of each file of a command; a second file of one name does not take the first one's. */
export function rejectsNames(files: readonly string[]): string[] {
  const bases = files.map(file => (file === '-' ? 'stdin' : basename(file)))
  return bases.map((base, i) => {
    const before = bases.slice(0, i).filter(one => one === base).length
    return `${base}${before === 0 ? '' : `.${before + 1}`}.rejects.ndjson`
  })
}

/** The file of a command's argument; a sentence where there is none. */
export function opened(path: string): ReturnType<typeof openInput> {
  try {
    return openInput(path, process.stdin)
  } catch (error) {
    throw error instanceof UnreadableInput ? new Failed(error.message) : error
  }
}

/** The file is made with its first row. */
function rejectsWriter(file: string) {
  let stream: WriteStream | undefined
  return {
    write: (row: object) => {
      if (!stream) {
        mkdirSync(dirname(file), { recursive: true })
        stream = createWriteStream(file)
      }
      stream.write(`${JSON.stringify(row)}\n`)
    },
    close: async () => {
      if (!stream) return undefined
      stream.end()
      await finished(stream)
      return file
    },
  }
}
