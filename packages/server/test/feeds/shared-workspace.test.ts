/** Workspaces of feeds that nodes share: builders that die, and builders without a lock. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { BlobStore } from '../../src/domain/blob-store.ts'
import { FeedsChangedMeanwhile, readNewest } from '../../src/feeds/shared/catalogue.ts'
import { checkCatalogue } from '../../src/feeds/shared/check-catalogue.ts'
import { type FeedSecrets, mirrorCatalogue } from '../../src/feeds/shared/mirror.ts'
import { adoptFolder, openSharedWorkspace } from '../../src/feeds/shared/shared-workspace.ts'
import { openFolderBlobs } from '../../src/store/blobs/folder.ts'
import { scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

const newFolder = () => mkdtempSync(join(folder.path, 'folder-'))
const secrets: FeedSecrets = {
  seal: (path, text) => `${path} ${text} ${Math.random()}`,
  open: (path, sealed) => (sealed.startsWith(`${path} `) ? sealed.split(' ')[1] : undefined),
}

let blobs: BlobStore
beforeEach(async () => {
  blobs = await openFolderBlobs(newFolder())
})

const openIn = (root: string, store = blobs) => openSharedWorkspace(root, { blobs: store, secrets, oldest: 1 })

/** Writes the files of a snapshot, as a build does. */
function addSnapshot(root: string, id: string, text = id): void {
  const files = { 'part-00000.ndjson.zst': text, 'digests.zst': `digests ${text}`, 'manifest.json': `{"id":"${id}"}` }
  for (const [name, contents] of Object.entries(files)) write(join(root, 'locations', 'v1', id, name), contents)
  write(join(root, 'signing-key.pem'), 'key')
}

function write(file: string, contents: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}

const pathsOf = async () => [...(await readNewest(blobs)).files.keys()].sort()
const keys = async () => (await Array.fromAsync(blobs.list('feeds/'), ({ key }) => key)).sort()
const first = '2026-11-20.0-v1'
const second = '2026-11-20.1-v1'

test('of two builders that know the same state, one publishes, and the other one fails', async () => {
  const [a, b] = [await openIn(newFolder()), await openIn(newFolder())]
  addSnapshot(a.root, first, 'of a')
  addSnapshot(b.root, first, 'of b')
  await a.commit()
  await expect(b.commit()).rejects.toThrow(FeedsChangedMeanwhile)
  expect((await readNewest(blobs)).number).toBe(1)
  expect(await checkCatalogue(blobs)).toEqual([])
  const again = await openIn(b.root)
  expect(readFileSync(join(b.root, 'signing-key.pem'), 'utf8')).toBe('key')
  expect(await again.fetch(join(b.root, 'locations', 'v1', first, 'digests.zst'))).toBe(true)
  addSnapshot(again.root, second)
  await again.commit()
  expect(await checkCatalogue(blobs)).toEqual([])
  expect((await keys()).filter(key => key.includes('part-'))).toHaveLength(2)
})

test('a builder that dies before the end of its uploads leaves nothing visible', async () => {
  const root = newFolder()
  const done = await openIn(root)
  addSnapshot(root, first)
  await done.commit()
  const before = await pathsOf()
  for (const dies of ['part-', 'digests', 'catalogue']) {
    const dying: BlobStore = {
      ...bindAll(blobs),
      put: (key, file, options) => {
        if (key.includes(dies)) throw new Error('killed')
        return blobs.put(key, file, options)
      },
    }
    const workspace = await openIn(root, dying)
    expect(existsSync(join(root, 'locations', 'v1', second))).toBe(false)
    addSnapshot(root, second, `before ${dies}`)
    await expect(workspace.commit()).rejects.toThrow('killed')
    expect(await pathsOf()).toEqual(before)
    expect(await checkCatalogue(blobs)).toEqual([])
  }
  const last = await openIn(root)
  addSnapshot(root, second)
  await last.commit()
  expect((await keys()).filter(key => key.includes(second))).toHaveLength(2)
  expect(await checkCatalogue(blobs)).toEqual([])
})

test('a commit without changes publishes nothing, and a removed file leaves the blobs', async () => {
  const workspace = await openIn(newFolder())
  addSnapshot(workspace.root, first)
  await workspace.commit()
  await workspace.commit()
  const same = await openIn(newFolder())
  await same.commit()
  expect((await readNewest(blobs)).number).toBe(1)
  mkdirSync(join(same.root, 'locations', 'v1', first), { recursive: true })
  write(join(same.root, 'locations', 'v1', first, 'gone.json'), '{}')
  rmSync(join(same.root, 'locations', 'v1', first, 'part-00000.ndjson.zst'))
  await same.commit()
  expect((await keys()).map(key => key.replace(/[0-9a-f]{64}/, 'SHA'))).toEqual([
    'feeds/catalogue/0000000001.json.zst',
    'feeds/catalogue/0000000002.json.zst',
    `feeds/locations/v1/${first}/SHA-digests.zst`,
  ])
})

test('a damaged blob is not used, and is reported', async () => {
  const workspace = await openIn(newFolder())
  addSnapshot(workspace.root, first)
  await workspace.commit()
  const key = (await keys()).find(name => name.endsWith('-digests.zst'))!
  write(join(blobs.name, key), 'others')
  const other = await openIn(newFolder())
  expect(await other.fetch(join(other.root, 'locations', 'v1', first, 'digests.zst'))).toBe(false)
  expect(await checkCatalogue(blobs)).toMatchObject([{ file: key }])
})

test('feeds that a node has built alone are uploaded once; those of a second node are never replaced', async () => {
  const [alone, other] = [newFolder(), newFolder()]
  addSnapshot(alone, first)
  addSnapshot(other, second)
  await adoptFolder(alone, { blobs, secrets, oldest: 1 })
  await adoptFolder(other, { blobs, secrets, oldest: 1 })
  const catalogue = await readNewest(blobs)
  expect(await pathsOf()).toEqual(
    ['digests.zst', 'manifest.json', 'part-00000.ndjson.zst']
      .map(name => `locations/v1/${first}/${name}`)
      .concat('signing-key.pem'),
  )
  mirrorCatalogue(alone, catalogue, secrets, { placeholders: false })
  expect(() => mirrorCatalogue(other, catalogue, secrets, { placeholders: false })).toThrow(
    /has feeds that the blobs do not have/,
  )
  expect(() => mirrorCatalogue(alone, { number: 0, files: new Map() }, secrets, { placeholders: false })).toThrow(
    /have lost feeds/,
  )
})

/** Returns the methods of an object, bound to it. */
function bindAll(store: BlobStore): BlobStore {
  return {
    name: store.name,
    put: (...args) => store.put(...args),
    get: (...args) => store.get(...args),
    head: key => store.head(key),
    list: prefix => store.list(prefix),
    delete: key => store.delete(key),
    close: () => store.close(),
  }
}

test('a catalogue of a newer release is refused with a sentence', async () => {
  const file = join(newFolder(), 'catalogue')
  writeFileSync(file, zstdCompressSync(JSON.stringify({ format: 99, other: {} })))
  await blobs.put('feeds/catalogue/0000000001.json.zst', file)
  await expect(readNewest(blobs)).rejects.toThrow(
    /feeds\/catalogue\/0000000001\.json\.zst has form 99, and this Periplus reads forms up to 1: it was written by/,
  )
})
