import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/vnd.microsoft.icon',
}

// The relative path is the same for the sources and the compiled files.
const folder = new URL('../../../assets/', import.meta.url)

/** Reads the stylesheets, scripts and logos in the package's folder `assets`. Returns a function that finds one by name. */
export function loadAssets(): (name: string) => WebDocument | undefined {
  const names = readdirSync(folder).filter(name => types[extname(name)] !== undefined)
  const documents = new Map(names.map(name => [name, loadDocument(name)]))
  return name => documents.get(name)
}

const loadDocument = (name: string): WebDocument => ({
  headers: {
    'Content-Type': types[extname(name)]!,
    'Cache-Control': 'no-cache',
  },
  rendered: new RenderedBody(readFileSync(new URL(name, folder))),
})
