/**
 * Runs `work` on an open file. An error of the system that does not name a file, such as one of write(2), gets `path`, so
 * that its message can.
 */
export function nameFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw withPath(error, path)
  }
}

/** Adds a path to an error of the system that has none; returns the error. */
export function withPath(error: unknown, path: string): unknown {
  const found = error as { readonly code?: unknown; path?: string }
  if (typeof found.code === 'string' && found.path === undefined) found.path = path
  return error
}
