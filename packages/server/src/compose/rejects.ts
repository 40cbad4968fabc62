import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { RejectedRow } from '../domain/job.ts'

/** Reads the rows of a file of rejected rows; a missing file yields no rows, and a torn last line is omitted. */
export async function* readRejects(file: string): AsyncIterable<Omit<RejectedRow, 'input'>> {
  if (!existsSync(file)) return
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const row = parseRow(line)
    if (row) yield row
  }
}

function parseRow(line: string): Omit<RejectedRow, 'input'> | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
