/**
 * Preload of the test processes and threads. Keeps their priority, because a thread of low priority hardly runs on a
 * busy machine, lets them share compiled modules, and starts processes and threads of Periplus from the bundle of its
 * sources (bundle.ts), unless TEST_BUNDLE is empty. Resolves relative imports without reading the file system, which
 * takes a quarter of the time of loading a module. It is JavaScript, because Node takes 30 ms to load what it strips
 * types with.
 */

import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks, syncBuiltinESMExports } from 'node:module'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

os.setPriority = () => {}
syncBuiltinESMExports()

const { TEST_BUNDLE, TEST_COMPILE_CACHE } = process.env
const sources = new URL('../../src/', import.meta.url).href
const bundle = TEST_BUNDLE ? pathToFileURL(`${TEST_BUNDLE}/`).href : undefined

/** Returns the URL of an entry file in the bundle; undefined if it is not there. */
function findInBundle(url) {
  if (bundle === undefined || !url.startsWith(sources)) return undefined
  const file = new URL(url.slice(sources.length).replace(/ts$/, 'js'), bundle)
  return existsSync(fileURLToPath(file)) ? file.href : undefined
}

registerHooks({
  resolve: (specifier, { parentURL, ...context }, next) => {
    if (parentURL === undefined) {
      const url = findInBundle(specifier)
      if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    } else if (bundle !== undefined && parentURL.startsWith(bundle)) {
      if (specifier.startsWith('.'))
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      // Libraries are found from the sources.
      return next(specifier, { ...context, parentURL: sources })
    } else if (specifier.startsWith('.') && specifier.endsWith('.ts'))
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    return next(specifier, { ...context, parentURL })
  },
})

enableCompileCache(TEST_COMPILE_CACHE ?? join(tmpdir(), 'periplus-test-compile-cache'))
