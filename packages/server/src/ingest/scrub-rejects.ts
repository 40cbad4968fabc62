import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { addPath } from '../kit/error-path.ts'

/** A rejected row in a rejects file. */
export interface ScrubbedRow {
  readonly row: string
  /** Key fields of the row; undefined if it is not valid JSON. */
  readonly source?: string
  readonly sourceId?: string
  readonly id?: string
  readonly userId?: string
}

/** Returns true for a row to remove. */
export type IsErasedRow = (row: ScrubbedRow) => boolean | Promise<boolean>

/** Removes the rows for which `isErased` returns true from every rejects file of a folder; returns their number. */
export async function scrubRejects(folder: string, isErased: IsErasedRow): Promise<number> {
  if (!existsSync(folder)) return 0
  let removed = 0
  for (const name of readdirSync(folder)) removed += await scrubFile(join(folder, name), isErased)
  return removed
}

/**
 * Removes the rows of a file for which `isErased` returns true; returns their number. The remaining rows are written to
 * a temporary file, which replaces the original only if a row was removed.
 */
export async function scrubFile(file: string, isErased: IsErasedRow): Promise<number> {
  const temporary = `${file}.${process.pid}.tmp`
  const input = createReadStream(file)
  let removed = 0
  async function* keptLines() {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (await isErased(rejectedRow(line))) removed++
      else yield `${line}\n`
    }
  }
  try {
    await pipeline(input, keptLines, createWriteStream(temporary))
  } catch (error) {
    await rm(temporary, { force: true })
    throw addPath(error, temporary)
  }
  await (removed > 0 ? rename(temporary, file) : rm(temporary))
  return removed
}

function rejectedRow(line: string): ScrubbedRow {
  const { row = '' } = parseObject(line) as { row?: string }
  const record = parseObject(row)
  const text = (name: string) => {
    const value = record[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const [source, sourceId, id, userId] = ['source', 'source_id', 'id', 'user_id'].map(text)
  return {
    row,
    ...(source !== undefined && { source }),
    ...(sourceId !== undefined && { sourceId }),
    ...(id !== undefined && { id }),
    ...(userId !== undefined && { userId }),
  }
}

/** Parses a JSON object; returns an empty object for other text. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
