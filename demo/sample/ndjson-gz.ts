import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Reads all records of a gzipped NDJSON file, in order. */
export function readNdjsonGz<T>(file: string | URL): T[] {
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)
}

/** Writes records as gzipped NDJSON and returns the number of bytes. The same records give the same bytes. */
export function writeNdjsonGz(file: string | URL, records: readonly object[]): number {
  const text = records.map(record => `${JSON.stringify(record)}\n`).join('')
  const packed = gzipSync(text, { level: 9, memLevel: 9 })
  // Bytes 4 to 7 are the time and byte 9 is the operating system: clear both, so that the bytes depend on the records
  // only.
  packed.fill(0, 4, 8)
  packed[9] = 255
  writeFileSync(file, packed)
  return packed.length
}
