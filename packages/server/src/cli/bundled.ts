import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export { bundledFile } from '../kit/bundled.ts'

/** The version of this release. */
export function packageVersion(): string {
  const text = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
