import { readFileSync } from 'node:fs'
import type { Document } from '../wire/answer.ts'
import { Rendered } from '../wire/rendered.ts'

const types: Readonly<Record<string, string>> = {
  'periplus.css': 'text/css; charset=utf-8',
  'landing.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'mark.svg': 'image/svg+xml',
}

/** Style, script and mark of our pages, as they lie in the package's folder `assets`. */
export function assets(): (name: string) => Document | undefined {
  const answers = new Map(
    Object.entries(types).map(([name, type]) => [name, answer(type, readFileSync(assetFile(name)))]),
  )
  return name => answers.get(name)
}

// As far from the sources as from what is compiled of them.
const assetFile = (name: string): URL => new URL(`../../../assets/${name}`, import.meta.url)

const answer = (type: string, body: Buffer): Document => ({
  headers: { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' },
  rendered: new Rendered(body),
})
