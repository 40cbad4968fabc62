import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, onTestFinished } from 'vitest'
import type { DataWriter } from '../../../src/domain/data-stores.ts'
import type { Location } from '../../../src/domain/location.ts'
import type { LocationWrite, ReviewWrite } from '../../../src/domain/record-write.ts'
import type { CopyProgress, Engine, StoreCopy } from '../../../src/domain/stores.ts'
import type { Clock } from '../../../src/kit/clock.ts'
import { openEngine, recreateParts } from '../../../src/store/engine.ts'
import { settableClock } from '../../clock.ts'
import { describeWith, execute, useDatabase } from '../../engines.ts'
import { postgresTemplate } from '../../postgres-template.ts'
import type { EngineName } from '../../setup/find-engines.ts'
import { filesOf } from '../../store-files.ts'

/** An engine that the contract tests of this folder run against. */
export interface EngineUnderTest {
  readonly name: string
  readonly needs: readonly EngineName[]
  /** Opens the engine on empty stores, and closes it after the test. */
  open(clock?: Clock): Promise<Engine>
  /** Changes the stored review totals of all places, which the integrity checks find. */
  damageTotals(engine: Engine): Promise<void>
}

/** Opens the SQLite engine on empty stores, and closes it after the test. */
export const openSqlite = async (clock: Clock = settableClock(0)): Promise<Engine> => {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-engine-'))
  const engine = openEngine({ kind: 'sqlite', folder }, { create: true, clock })
  onTestFinished(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })
  return engine
}

async function damageSqliteTotals({ descriptor }: Engine): Promise<void> {
  const db = new Database(filesOf(descriptor.folder).data)
  db.exec("UPDATE review_totals SET totals = json_set(totals, '$.reviews', 99)")
  db.close()
}

const openPostgres = async (clock: Clock = settableClock(0)): Promise<Engine> => {
  const url = await useDatabase(await postgresTemplate())
  const folder = mkdtempSync(join(tmpdir(), 'periplus-node-'))
  const engine = openEngine({ kind: 'postgres', folder, url }, { create: true, clock })
  onTestFinished(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })
  return engine
}

async function damagePostgresTotals({ descriptor }: Engine): Promise<void> {
  if (descriptor.kind !== 'postgres') throw new Error('This engine has no database.')
  await execute(
    descriptor.url,
    `UPDATE locations SET totals = jsonb_set(totals::jsonb, '{reviews}', '99') WHERE totals IS NOT NULL`,
  )
}

const sqlite: EngineUnderTest = { name: 'sqlite', needs: [], open: openSqlite, damageTotals: damageSqliteTotals }
const postgres: EngineUnderTest = {
  name: 'postgres',
  needs: ['pg'],
  open: openPostgres,
  damageTotals: damagePostgresTotals,
}

/** Declares a suite of all engines; it is skipped, and counted, for those whose server is missing. */
export function describeEngines(title: string, suite: (engine: EngineUnderTest) => void): void {
  for (const engine of [sqlite, postgres]) describeWith(engine.needs, `${title} of ${engine.name}`, () => suite(engine))
}

/** Declares a suite of SQLite alone. */
export const describeSqlite: typeof describeEngines = (title, suite) =>
  describe(`${title} of sqlite`, () => suite(sqlite))

/** Declares a suite of PostgreSQL alone; it is skipped, and counted, without a server. */
export const describePostgres: typeof describeEngines = (title, suite) =>
  describeWith(postgres.needs, `${title} of postgres`, () => suite(postgres))

/** Opens the engine a second time, as another process does, and closes it after the test. */
export function openAgain(engine: Engine): Engine {
  const again = openEngine(engine.descriptor, { create: false })
  onTestFinished(() => again.close())
  return again
}

/** Opens the stores that a StoreCopy has written to an empty folder, and removes them after the test. */
export async function openCopy(engine: Engine, copy: StoreCopy, progress: CopyProgress = () => {}): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-copy-'))
  await copy.writeTo(folder, progress)
  const descriptor = { ...engine.descriptor, folder }
  // The copy has the stores alone.
  recreateParts(descriptor, ['pepper', 'current', 'journal'], 0)
  const copied = openEngine(descriptor, { create: false })
  onTestFinished(async () => {
    await copied.close()
    rmSync(folder, { recursive: true })
  })
  return copied
}

/** Calls `work` with a writer, and closes the writer afterwards. */
export async function withWriter<T>(engine: Engine, work: (writer: DataWriter) => Promise<T>): Promise<T> {
  const writer = await engine.openWriter({ dryRun: false })
  try {
    return await work(writer)
  } finally {
    await writer.close()
  }
}

export const locationNamed = (name: string): Location =>
  ({ names: [{ value: name, primary: true }], categories: [], status: { value: 'OPEN' } }) as unknown as Location

export const put = (id: bigint, name = `Place ${id}`): LocationWrite => ({
  op: 'put',
  id,
  location: locationNamed(name),
  source: 's',
  category: 'RESTAURANT',
})

export const putReview = (id: bigint, locationId: bigint, rating = 4): ReviewWrite => ({
  op: 'put',
  review: { id, locationId, rating, publishedMs: Number(id) * 1000, language: 'en' },
})

/** Stores locations. */
export const store = (engine: Engine, ...writes: LocationWrite[]) =>
  withWriter(engine, writer => writer.writeLocations(writes))

/** Stores reviews. */
export const storeReviews = (engine: Engine, ...writes: ReviewWrite[]) =>
  withWriter(engine, writer => writer.writeReviews(writes))

/** Collects the items of all pages of an asynchronous iterable. */
export async function gather<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}
