/** Manifests and links that a build did not write are never delivered. */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseManifest } from '../../src/feeds/manifest.ts'
import { findManifestProblem } from '../../src/feeds/manifest-check.ts'
import { editionFolder } from '../../src/feeds/snapshot-files.ts'
import { send } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'
import { idOf, putSnapshot } from './hand-made.ts'

const edition = { feed: 'locations', version: '1' } as const
const part = 'part-00000.ndjson.zst'
let world: World
const folderOf = (sequence: number) =>
  join(editionFolder(join(world.config.data, 'feeds'), edition), idOf({ ...edition, sequence }))
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0 }, [])
  putSnapshot(join(world.config.data, 'feeds'), { ...edition, sequence: 1 })
})
afterAll(() => world.close())

const names = [
  '../../../../control.sqlite',
  '../../../../pepper',
  '..',
  '.',
  '',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  'a\\b',
  'sub/part.zst',
  `${part}\u0000`,
  `${part}\n`,
  '.hidden',
  'source.json',
  'digests.zst',
  'manifest.json',
  'gone.json',
]
const changes: [what: string, change: (text: string) => string][] = [
  ...names.map((name): [string, (text: string) => string] => [
    `the file name ${JSON.stringify(name)}`,
    text => text.replace(JSON.stringify(part), JSON.stringify(name)),
  ]),
  ['a number as file name', text => text.replace(JSON.stringify(part), '7')],
  ['a file that is null', text => text.replace(/"files":\[.*?\]/, '"files":[null]')],
  ['files that are not a list', text => text.replace(/"files":\[.*?\]/, '"files":{"length":1}')],
  [
    'the same file twice',
    text => text.replace(/"files":\[(.*?)\]/, '"files":[$1,$1]').replace('"records":1', '"records":2'),
  ],
  ['a negative size', text => text.replace('"bytes":', '"bytes":-')],
  ['no digest of a file', text => text.replace(/"sha256":"\w+"/, '"sha256":""')],
  ['the id of another snapshot', text => text.replace('.2-v1', '.3-v1')],
  ['another version', text => text.replace('"version":"1"', '"version":"2"')],
  ['another feed', text => text.replace('"feed":"locations"', '"feed":"../keys"')],
  ['a sequence that is not a number', text => text.replace('"sequence":2', '"sequence":"2"')],
  ['half of it', text => text.slice(0, text.length / 2)],
  ['nothing', () => ''],
]

describe('a manifest with %s', () => {
  test.each(changes)('%s: is neither listed nor delivered, and is reported', async (_, change) => {
    putSnapshot(join(world.config.data, 'feeds'), { ...edition, sequence: 2 })
    const file = join(folderOf(2), 'manifest.json')
    const text = change(readFileSync(file, 'utf8'))
    writeFileSync(file, text)
    const id = idOf({ ...edition, sequence: 2 })
    try {
      const manifest = await world.get(`/feeds/locations/snapshots/${id}/manifest.json`)
      expect([manifest.status, manifest.text]).toEqual([410, expect.stringContaining('its files are damaged')])
      const claimed = /"name":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? part
      const target = encodeURIComponent(JSON.parse(`"${claimed}"`))
      for (const name of [target, encodeURIComponent(part)]) {
        const reply = await world.get(`/feeds/locations/snapshots/${id}/files/${name}`)
        expect([404, 410]).toContain(reply.status)
      }
      expect((await world.get('/feeds/locations/snapshots')).json()).toMatchObject({ data: [{ sequence: 1 }] })
      expect((await world.get('/feeds/locations/latest')).json()).toMatchObject({ sequence: 1 })
      const { text: ready, status } = await send(world.adminUrl!, '/readyz')
      expect([status, ready]).toEqual([
        200,
        expect.stringContaining(`feeds/locations/v1/${id}/manifest.json is damaged`),
      ])
      // The client refuses the same manifests.
      const parsed = parseManifest(text)
      if (parsed?.snapshot_id === id) expect(findManifestProblem(parsed, edition)).toEqual(expect.any(String))
    } finally {
      rmSync(folderOf(2), { recursive: true })
    }
  })
})

describe('a link out of the folder', () => {
  test('in place of a part is not followed', async () => {
    const { manifest } = putSnapshot(join(world.config.data, 'feeds'), { ...edition, sequence: 4 })
    const id = idOf({ ...edition, sequence: 4 })
    rmSync(join(folderOf(4), part))
    symlinkSync(join(world.config.data, 'control.sqlite'), join(folderOf(4), part))
    expect(manifest.length).toBeGreaterThan(0)
    const reply = await world.get(`/feeds/locations/snapshots/${id}/files/${part}`)
    expect([reply.status, reply.text]).toEqual([404, expect.not.stringContaining('SQLite format')])
    rmSync(folderOf(4), { recursive: true })
  })

  test('in place of a snapshot is not followed', async () => {
    putSnapshot(join(world.config.data, 'feeds'), { ...edition, sequence: 5 })
    const id = idOf({ ...edition, sequence: 5 })
    const outside = join(world.config.data, 'outside')
    mkdirSync(outside)
    renameSync(folderOf(5), join(outside, id))
    symlinkSync(join(outside, id), folderOf(5))
    for (const path of ['manifest.json', `files/${part}`])
      expect((await world.get(`/feeds/locations/snapshots/${id}/${path}`)).status).toBe(404)
    rmSync(folderOf(5))
  })
})
