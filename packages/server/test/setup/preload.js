/**
 * Preload of the test processes and threads. Keeps their priority, because a thread of low priority hardly runs on a
 * busy machine, and lets them share compiled modules. It is JavaScript, because Node takes 30 ms to load what it strips
 * types with.
 */

import { enableCompileCache, syncBuiltinESMExports } from 'node:module'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'

os.setPriority = () => {}
syncBuiltinESMExports()

enableCompileCache(join(tmpdir(), 'periplus-test-compile-cache'))
