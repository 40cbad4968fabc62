import { findDiskFailure, StoreFailure } from '../domain/store-errors.ts'

/** Returns the user-facing message of an error of the system about a file or folder; undefined for other errors. */
export function fileErrorText(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM')
    return `${path ?? 'A folder'} cannot be read or written by this user (${code}).`
  const failure = findDiskFailure(error)
  if (failure) return new StoreFailure(failure.kind, failure.file ?? 'A file').message
  switch (code) {
    case 'ENOENT':
      return `${path ?? 'A file'} does not exist.`
    case 'ENOTDIR':
      return `${path ?? 'A path'} is not a valid path: part of it is a file, not a folder.`
    case 'ENAMETOOLONG':
      return `${path ?? 'A path'} is too long for the file system.`
    case 'ELOOP':
      return `${path ?? 'A path'} is not a valid path: part of it is a link that leads to itself.`
    case 'EISDIR':
      return `${path ?? 'A path'} is a folder, but a file is required.`
    case 'ERR_WORKER_INIT_FAILED':
      return 'The system cannot start another thread for this process. Increase its limits (ulimit -n, ulimit -u) and try again.'
    default:
      return undefined
  }
}
