/** The search index of several nodes: the worker builds, all serve the same file. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findBlobs } from '../../src/compose/blobs.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeImport } from '../../src/compose/import.ts'
import { openIndexSharing } from '../../src/compose/open-index-sharing.ts'
import { startIndexKeeper } from '../../src/compose/serving-index.ts'
import type { Config } from '../../src/config/load.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { FairQueue } from '../../src/kit/fair-queue.ts'
import { createLog } from '../../src/kit/log.ts'
import { Threads } from '../../src/kit/threads.ts'
import { indexVersion } from '../../src/search/index/stored-file.ts'
import { openLayout } from '../../src/store/folder/layout.ts'
import { createDatabase, describeWith } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, importRows, makeFolder, scratch } from '../world.ts'
import { locations } from '../world-rows.ts'

describeWith(['pg'], 'the search index of several nodes', () => {
  const folder = scratch()
  let database: Awaited<ReturnType<typeof createDatabase>>
  let first: Config

  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    const blobs = join(folder.path, 'blobs')
    mkdirSync(blobs)
    first = configFor(join(folder.path, 'first'), { store: database.url, blobs, 'search.partPlaces': 4 })
    await importRows(first, 'location', locations)
  })
  afterAll(async () => {
    await database.drop()
    folder.remove()
  })

  function addNode(): Config {
    const data = mkdtempSync(join(folder.path, 'node-'))
    cpSync(join(first.data, 'pepper'), join(data, 'pepper'))
    const config = { ...first, data }
    makeFolder(config)
    return config
  }

  /** Starts the index of a node, as a service does. */
  function startNode(config: Config, graceMs?: number) {
    const engine = openConfiguredEngine(config, { create: false })
    const layout = openLayout(config.data)
    const errors: unknown[] = []
    const { log } = createLog('error')
    const onFailure = () => errors.push('sharing')
    const sharing = openIndexSharing(config, layout, engine, {
      log,
      onFailure,
      ...(graceMs !== undefined && { graceMs }),
    })!
    const index = startIndexKeeper(config, layout, engine, {
      sharing,
      clock: systemClock,
      threads: new Threads(),
      queue: new FairQueue({ running: 1, waiting: 1, waitingPerSubject: 1 }),
      onError: error => errors.push(error),
    })
    onTestFinished(async () => {
      await Promise.all([sharing.stop(), index.close()])
      await engine.close()
      expect(errors).toEqual([])
    })
    return { index, sharing, engine }
  }

  const query = { offset: 0, limit: 10 }
  const caller = { subject: 'k', isGone: () => false }
  const fileOf = ({ data }: Config) => readFileSync(openLayout(data).index)
  const search = async ({ index }: ReturnType<typeof startNode>, text: string) =>
    JSON.stringify(await index.search({ ...query, text }, caller), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )

  test('two nodes that start together serve the file that the worker of them has built', async () => {
    const second = addNode()
    const nodes = [startNode(first), startNode(second)]
    nodes[1]!.sharing.startWork()
    await eventually(async () => expect(nodes.map(({ index }) => index.ready)).toEqual([true, true]))
    expect(fileOf(second)).toEqual(fileOf(first))
    const newest = (await nodes[0]!.engine.indexes!.newest(indexVersion))!
    expect(newest).toMatchObject({ revision: nodes[0]!.index.info()!.revision, files: expect.any(Array) })
    const last = newest.files.at(-1)!
    expect(last.name).toBe('search.index')
    expect(last.key).toContain(`search/${indexVersion}/${newest.revision}-${last.sha256}`)

    // Both follow the log, and a newer index replaces the file of both.
    const late = [{ source: 'late', source_id: '1', name: 'Zanzibar Late Lodge', lat: 1, lon: 2, category: 'HOTEL' }]
    await importRows(first, 'location', late)
    const seq = await nodes[0]!.engine.changes.lastSeq()
    await eventually(async () => expect(nodes.map(({ index }) => index.info()!.revision)).toEqual([seq, seq]))
    const third = startNode(addNode())
    await eventually(async () => expect(third.index.info()?.revision).toBe(seq))
    for (const text of ['zanzibar', 'hotel', 'a'])
      expect(new Set(await Promise.all([...nodes, third].map(node => search(node, text)))).size).toBe(1)
    expect(await search(third, 'zanzibar')).toContain('"total":1')

    // An import brings a newer index on a node that serves nothing.
    const importer = addNode()
    const importing = await composeImport(importer, { dryRun: false })
    await importing.buildIndex(Number.MAX_SAFE_INTEGER, () => {}).finally(() => importing.close())
    await eventually(async () => expect(fileOf(first)).toEqual(fileOf(importer)))
    const all = [...nodes, third]
    await eventually(async () => expect(all.map(({ index }) => index.info()!.changes)).toEqual([0, 0, 0]))
    expect(new Set(await Promise.all(all.map(node => search(node, 'hotel')))).size).toBe(1)
  })

  test('a change builds, uploads and downloads one part (R-141)', async () => {
    const second = addNode()
    const nodes = [startNode(first), startNode(second)]
    await eventually(async () => expect(nodes.map(({ index }) => index.ready)).toEqual([true, true]))
    const blobs = (await findBlobs(first))!
    /** Returns the keys of the parts without scores, with what identifies their blobs and the files of a node. */
    const listParts = async () => {
      const { files } = (await nodes[0]!.engine.indexes!.newest(indexVersion))!
      const parts = files.filter(({ name }) => /\.part-[0-9a-f]{16}$/.test(name))
      const inode = (folder: string, file: string) => statSync(join(folder, file)).ino
      return parts.map(({ key, name }) => [
        key,
        inode(blobs.name, key),
        inode(dirname(openLayout(second.data).index), name),
      ])
    }
    const before = await listParts()
    expect(before.length).toBeGreaterThan(2)

    await importRows(first, 'location', [{ ...locations.at(-1), name: 'Lonely Bay' }])
    let read = 0
    const importing = await composeImport(first, { dryRun: false })
    const onProgress = (done: number) => {
      read = done
    }
    await importing.buildIndex(Number.MAX_SAFE_INTEGER, onProgress).finally(() => importing.close())
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThanOrEqual(4)
    await eventually(() => expect(fileOf(second)).toEqual(fileOf(first)))
    const after = await listParts()
    expect(after.filter(part => before.some(one => String(one) === String(part)))).toHaveLength(before.length - 1)
    await eventually(async () => expect(nodes.map(({ index }) => index.info()!.changes)).toEqual([0, 0]))
    for (const node of nodes) expect(await search(node, 'lonely')).toContain('"total":1')
  })

  test('a node builds the index when the blobs are damaged and the worker builds another format', async () => {
    const blobs = (await findBlobs(first))!
    for await (const { key } of blobs.list('search/')) writeFileSync(join(blobs.name, key), 'others')
    const { index, engine } = startNode(addNode(), 0)
    const other = (await engine.indexes!.lock(indexVersion + 1))!
    onTestFinished(() => other.release())
    await eventually(async () => expect(index.ready).toBe(true))
    expect(index.info()!.revision).toBe(await engine.changes.lastSeq())
    // The next node gets what this one has published.
    const next = startNode(addNode())
    await eventually(async () => expect(next.index.ready).toBe(true))
    expect((await engine.indexes!.newest(indexVersion))!.revision).toBe(next.index.info()!.revision)
  })
})
