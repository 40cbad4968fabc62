/** What the operating system says of a file or folder, as a sentence; undefined where it is about something else. */
export function fileFault(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path ?? 'A folder'} may not be written or read by this user (${code}).`
    case 'ENOTDIR':
      return `${path ?? 'A path'} cannot be: a part of it is a file and no folder.`
    case 'EISDIR':
      return `${path ?? 'A path'} is a folder where a file is needed.`
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return 'The disk is full. Make room and try again.'
    default:
      return undefined
  }
}
