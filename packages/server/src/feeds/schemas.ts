import { existsSync, readFileSync } from 'node:fs'
import type { Edition } from '../domain/feed.ts'
import { bundledFile } from '../kit/bundled.ts'

/** The file that says what a line of an edition may be: `locations-1.schema.json`. */
export const schemaName = ({ feed, version }: Edition): string => `${feed}-${version}.schema.json`

/** The text of a schema as it is published, by its file name; undefined where there is none. */
export function schemaText(name: string): string | undefined {
  if (!/^[a-z]+-\d+\.schema\.json$/.test(name)) return undefined
  const file = `${bundledFile('contract/feeds')}/${name}`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
