import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import type { RejectsFile } from '../domain/importer.ts'

/** Opens a file for rejected rows, one JSON object per line. The file is created with its first row. */
export function openRejectsFile(path: string): RejectsFile {
  let stream: WriteStream | undefined
  return {
    write: row => {
      if (!stream) {
        mkdirSync(dirname(path), { recursive: true })
        stream = createWriteStream(path)
      }
      stream.write(`${JSON.stringify(row)}\n`)
    },
    close: async () => {
      if (!stream) return undefined
      stream.end()
      await finished(stream)
      return path
    },
  }
}
