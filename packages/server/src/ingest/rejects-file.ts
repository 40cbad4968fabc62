import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { adminFault } from '../domain/admin-fault.ts'
import type { RejectsFile } from '../domain/importer.ts'

/**
 * Opens a file for rejected rows, one JSON object per line. The first row creates the file. After an error
 * it discards rows, and `close` returns the fault.
 */
export function openRejectsFile(path: string): RejectsFile {
  let stream: WriteStream | undefined
  let failure: NodeJS.ErrnoException | undefined
  const fail = (error: NodeJS.ErrnoException) => {
    failure ??= error
  }
  return {
    write: row => {
      if (failure) return
      try {
        stream ??= createFile(path).on('error', fail)
      } catch (error) {
        fail(error as NodeJS.ErrnoException)
      }
      stream?.write(`${JSON.stringify(row)}\n`)
    },
    close: async () => {
      if (stream && !failure) await finished(stream.end()).catch(fail)
      if (failure)
        return adminFault('rejects_not_written', ['rejects_file'], {
          file: path,
          errorCode: failure.code ?? failure.name,
        })
      return stream && path
    },
  }
}

function createFile(path: string): WriteStream {
  mkdirSync(dirname(path), { recursive: true })
  return createWriteStream(path)
}
