import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Commands of the baseline that are installed on this machine. */
export interface Programs {
  /** Folder of the programs of PostgreSQL. */
  readonly postgres: string
  /** True if the extension PostGIS is installed. */
  readonly hasPostgis: boolean
  /** `redis-server` or `valkey-server`. */
  readonly counters: string
}

/** npm packages that the baseline uses; they are development dependencies. */
export const clients = ['pg', 'ioredis'] as const

/** Finds the programs of the baseline; returns a sentence about what is missing otherwise. */
export function findPrograms(): Programs | string {
  const missingClients = clients.filter(name => !isResolvable(name))
  if (missingClients.length > 0) return `Missing npm packages: ${missingClients.join(', ')}. Run npm install.`
  const postgres = outputOf('pg_config', ['--bindir'])
  if (postgres === undefined || !existsSync(join(postgres, 'initdb')))
    return 'PostgreSQL is not installed (Debian: apt-get install postgresql).'
  const counters = ['redis-server', 'valkey-server'].find(name => outputOf(name, ['--version']) !== undefined)
  if (counters === undefined)
    return 'Neither Redis nor Valkey is installed (Debian: apt-get install redis-server or valkey-server).'
  const share = outputOf('pg_config', ['--sharedir']) ?? ''
  return { postgres, hasPostgis: existsSync(join(share, 'extension/postgis.control')), counters }
}

function isResolvable(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** Returns the standard output of a command; undefined if it is not installed or fails. */
function outputOf(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
