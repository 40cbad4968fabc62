import { extname } from 'node:path'

/**
 * Returns the URL of a thread's entry file: `path` without its extension, relative to the caller's `import.meta.url`.
 * The extension is the same as the caller's: .ts in the repository, .js in the published package.
 */
export const threadEntry = (path: string, callerUrl: string): URL => new URL(path + extname(callerUrl), callerUrl)
