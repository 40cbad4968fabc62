import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Edition, feedNames } from '../domain/feed.ts'

/** Returns all editions that have a folder, including editions that are no longer built. */
export function listEditions(root: string): Edition[] {
  return feedNames.flatMap(feed => {
    const home = join(root, feed)
    const names = existsSync(home) ? readdirSync(home) : []
    return names.flatMap(name => (/^v\d+$/.test(name) ? [{ feed, version: name.slice(1) }] : []))
  })
}
