import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresPool, workTimeouts } from '../../packages/server/src/store/postgres/pool.ts'
import { median } from '../load/figures.ts'
import { runJsonWith } from '../load/folder.ts'
import type { MeasuredEngine } from './engines.ts'

interface Import {
  readonly perSecond: number
  readonly databaseMs: number
}

/** Measures imports of places into new folders and new databases in turns, without the search index. */
export async function measureImports(database: MeasuredEngine, file: string, rounds: number) {
  const pool = new PostgresPool({ url: database.url, connections: 1, timeouts: workTimeouts })
  const found: { readonly sqlite: Import; readonly postgres: Import }[] = []
  for (let round = 0; round < rounds; round++) {
    await pool.exec('CREATE DATABASE imported')
    const store = Object.assign(new URL(database.url), { pathname: '/imported' }).href
    const sqlite = () => importInto(database, file, {})
    const postgres = () => importInto(database, file, { PERIPLUS_STORE: store })
    const first = round % 2 === 0 ? sqlite() : undefined
    const second = postgres()
    found.push({ sqlite: first ?? sqlite(), postgres: second })
    await pool.exec('DROP DATABASE imported')
  }
  await pool.close()
  const medianOf = (pick: (pair: (typeof found)[number]) => number) => median(found.map(pick))
  return {
    'SQLite rows/s': Math.round(medianOf(pair => pair.sqlite.perSecond)),
    'PostgreSQL rows/s': Math.round(medianOf(pair => pair.postgres.perSecond)),
    ratio: Number(medianOf(pair => pair.postgres.perSecond / pair.sqlite.perSecond).toFixed(2)),
    'CPU ms of PostgreSQL': Math.round(medianOf(pair => pair.postgres.databaseMs)),
  }
}

function importInto(database: MeasuredEngine, file: string, env: Readonly<Record<string, string>>): Import {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  const databaseMs = database.cpuMs()
  const { read, seconds } = runJsonWith<{ read: number; seconds: number }>(
    { ...process.env, ...env },
    ...['import', file, '--data', folder, '--no-index'],
  )
  rmSync(folder, { recursive: true })
  return { perSecond: read / seconds, databaseMs: database.cpuMs() - databaseMs }
}
