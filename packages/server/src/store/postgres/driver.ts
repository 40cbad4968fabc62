import { createRequire } from 'node:module'
import type Pg from 'pg'
import type CopyStreams from 'pg-copy-streams'

const require = createRequire(import.meta.url)
let driver: typeof Pg | undefined

/** Returns the driver of PostgreSQL. The first call loads it, which takes 20 ms of a process that does not use it. */
export function loadPg(): typeof Pg {
  driver ??= require('pg') as typeof Pg
  return driver
}

/** Returns the part of the driver that copies rows; see `loadPg`. */
export const loadCopyStreams = (): typeof CopyStreams => require('pg-copy-streams')
