/**
 * Preload of the test processes and threads. Keeps their priority, because a thread of low priority hardly runs on a
 * busy machine, lets them share compiled modules, and resolves relative imports without reading the file system, which
 * takes a quarter of the time of loading a module. It is JavaScript, because Node takes 30 ms to load what it strips
 * types with.
 */

import { enableCompileCache, registerHooks, syncBuiltinESMExports } from 'node:module'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'

os.setPriority = () => {}
syncBuiltinESMExports()

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.ts')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})

enableCompileCache(process.env.TEST_COMPILE_CACHE ?? join(tmpdir(), 'periplus-test-compile-cache'))
