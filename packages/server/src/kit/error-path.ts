/**
 * Runs `work` on an open file. Adds `path` to an error of the system that names no file, such as one of write(2), so
 * that its message can.
 */
export function addPathToErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw addPath(error, path)
  }
}

/** Adds a path to an error of the system that has none; returns the error. */
export function addPath(error: unknown, path: string): unknown {
  const found = error as { readonly code?: unknown; path?: string }
  if (typeof found.code === 'string' && found.path === undefined) found.path = path
  return error
}
