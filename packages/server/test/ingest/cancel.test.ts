import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { composeImport } from '../../src/compose/import.ts'
import { importInput } from '../../src/ingest/import.ts'
import { openInput } from '../../src/ingest/input.ts'
import { startSync } from '../../src/ingest/sync.ts'
import { dump } from '../dump.ts'
import { configFor, importRows, ndjson, scratch } from '../world.ts'

const folders: { remove: () => void }[] = []
const fresh = () => {
  const folder = scratch()
  folders.push(folder)
  return configFor(folder.path)
}
afterAll(() => {
  for (const folder of folders) folder.remove()
})

const places = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ source: 's', source_id: `p${n}`, name: `Place ${n}`, lat: 1, lon: 2 }))

const inputOf = (rows: readonly object[]) => openInput('-', Readable.from([Buffer.from(ndjson(rows))]))

async function openImport(config: ReturnType<typeof fresh>) {
  const importing = await composeImport(config, { dryRun: false })
  onTestFinished(() => importing.close())
  return importing
}

test('a cancelled import stores complete batches and reports it; a second run completes it', async () => {
  const config = fresh()
  const { writer, clock } = await openImport(config)
  const controller = new AbortController()
  const options = { force: false, defaultStatus: undefined, signal: controller.signal }
  const cancelAfterFirstBatch = { progress: () => controller.abort() }
  const report = await importInput(inputOf(places(8000)), writer, options, cancelAfterFirstBatch, clock)
  expect(report).toMatchObject({ read: 1000, added: 1000, stopped: 'cancelled' })
  expect(dump(config).tables.locations).toHaveLength(1000)
  const again = await importInput(
    inputOf(places(8000)),
    writer,
    { force: false, defaultStatus: undefined },
    { progress: () => {} },
    clock,
  )
  expect(again).toMatchObject({ read: 8000, added: 7000, unchanged: 1000 })
  expect(again.stopped).toBeUndefined()
})

test('an import that was cancelled before its start stores nothing, whatever its input', async () => {
  const config = fresh()
  const { writer, clock } = await openImport(config)
  const options = { force: false, defaultStatus: undefined, signal: AbortSignal.abort() }
  const report = await importInput(inputOf([{ id: 7, deleted: true }]), writer, options, {}, clock)
  expect(report).toMatchObject({ read: 0, stopped: 'cancelled' })
})

test('a cancelled full sync removes complete batches and reports it', async () => {
  const config = fresh()
  await importRows(config, 'location', places(3000))
  const { writer } = await openImport(config)
  const sync = startSync(writer, 's')
  onTestFinished(() => sync.close())
  sync.includeKind('location')
  const controller = new AbortController()
  const result = await sync.finish({
    force: true,
    added: { location: 0, review: 0 },
    progress: () => controller.abort(),
    signal: controller.signal,
  })
  expect(result).toEqual({
    removals: [{ kind: 'location', stored: 3000, missing: 3000, removed: 1000 }],
    stopped: { reason: 'cancelled' },
  })
  expect(dump(config).tables.locations).toHaveLength(2000)
})
