/** Returns the user-facing message of an operating-system error about a file or folder; undefined for other errors. */
export function fileErrorText(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path ?? 'A folder'} cannot be read or written by this user (${code}).`
    case 'ENOTDIR':
      return `${path ?? 'A path'} is not a valid path: part of it is a file, not a folder.`
    case 'EISDIR':
      return `${path ?? 'A path'} is a folder, but a file is required.`
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return 'The disk is full. Free some disk space and try again.'
    default:
      return undefined
  }
}
