import { existsSync, readFileSync } from 'node:fs'
import type { Edition } from '../domain/feed.ts'
import { bundledFile } from '../kit/bundled.ts'

/** Returns the file name of the JSON Schema of an edition: `locations-1.schema.json`. */
export const schemaName = ({ feed, version }: Edition): string => `${feed}-${version}.schema.json`

/** Returns the text of a published schema by its file name; undefined if it does not exist. */
export function readSchema(name: string): string | undefined {
  if (!/^[a-z]+-\d+\.schema\.json$/.test(name)) return undefined
  const file = `${bundledFile('contract/feeds')}/${name}`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
