import { openSync, readSync, statSync } from 'node:fs'
import { createFragments, extractTexts, type Fragments, fragmentOverlap } from '../../kit/fragments.ts'
import type { Sqlite } from '../connection.ts'

const chunkBytes = 1 << 22

/**
 * Returns true if a store file contains fragments of erased texts that are in no row, which shows a stale copy.
 * Fragments that another review or place contains do not count.
 */
export function hasTraces(data: Sqlite, file: string, records: readonly string[]): boolean {
  const found = searchFile(file, createFragments(records.flatMap(extractTexts)))
  if (found.size === 0) return false
  const suspects = createFragments([...found].map(piece => Buffer.from(piece, 'latin1')))
  const live = data
    .prepare<[], string>(
      'SELECT record FROM reviews UNION ALL SELECT record FROM hidden_reviews UNION ALL SELECT record FROM locations',
    )
    .pluck()
  for (const record of live.iterate()) {
    for (const piece of suspects.findIn(Buffer.from(record))) found.delete(piece)
    if (found.size === 0) return false
  }
  return true
}

function searchFile(path: string, fragments: Fragments): Set<string> {
  const found = new Set<string>()
  const file = openForReading(path)
  const chunk = Buffer.alloc(chunkBytes)
  for (let at = 0; ; at += chunkBytes - fragmentOverlap) {
    const read = readSync(file, chunk, 0, chunkBytes, at)
    for (const piece of fragments.findIn(chunk.subarray(0, read))) found.add(piece)
    if (read < chunkBytes) return found
  }
}

/** Descriptors of searched store files. */
const descriptors = new Map<string, number>()

/**
 * Opens a store file, and keeps it open until the process ends: closing any descriptor of a file releases the locks of
 * all SQLite connections of this process to it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
function openForReading(path: string): number {
  const { ino, dev } = statSync(path)
  const name = `${dev}:${ino}`
  const open = descriptors.get(name) ?? openSync(path, 'r')
  descriptors.set(name, open)
  return open
}
