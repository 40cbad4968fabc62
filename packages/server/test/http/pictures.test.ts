/** Pictures that the service fetches from their sources and keeps. */
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photoIdOf } from '../../src/domain/photo.ts'
import { type PictureSize, pictureSizeNames } from '../../src/domain/picture.ts'
import { PictureFiles } from '../../src/photos/picture-files.ts'
import { sweepPictures } from '../../src/photos/sweep-pictures.ts'
import { periplus } from '../cli.ts'
import { expectDocumented } from '../contract/answers.ts'
import { importRows, startWorld, type World } from '../world.ts'

/** The part of the image library that makes and reads the pictures of the tests. */
interface Image {
  withExif(exif: object): Image
  jpeg(): Image
  png(): Image
  toBuffer(): Promise<Buffer>
  metadata(): Promise<{ width: number; height: number; format: string; exif?: Buffer }>
}
const sharp = createRequire(import.meta.url)('sharp') as (input: object) => Image

const solid = (width: number, height: number, channels = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })

let source: Server
let requests: string[] = []
let world: World
const paths = ['wide', 'small', 'redirect', 'loop', 'file', 'page', 'broken', 'large', 'gone', 'svg'] as const
type Path = (typeof paths)[number]
const urlOf = (path: Path) => `http://127.0.0.1:${(source.address() as AddressInfo).port}/${path}`
const idOf = (path: Path) => photoIdOf({ origin: 'operator', id: 1n }, { url: urlOf(path) })
const photoOf = (path: Path) => ({ url: urlOf(path), ...(path === 'wide' && { width: 2000, height: 1000 }) })
const place = () => ({ id: 1, source: 's', name: 'Place', lat: 1, lon: 2, photos: paths.map(photoOf) })

beforeAll(async () => {
  const wide = await solid(2000, 1000)
    .withExif({ IFD0: { Copyright: 'Secret' } })
    .jpeg()
    .toBuffer()
  const small = await solid(90, 60, 4).png().toBuffer()
  const bodies: Readonly<Record<string, Buffer | string>> = {
    '/wide': wide,
    '/small': small,
    '/page': '<html><body>No picture here</body></html>',
    '/broken': wide.subarray(0, 300),
    '/large': Buffer.concat([wide, Buffer.alloc(1_100_000)]),
    '/svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  }
  const locations: Readonly<Record<string, string>> = {
    '/redirect': '/small',
    '/loop': '/loop',
    '/file': 'file:///etc/passwd',
  }
  source = createServer(({ url = '' }, response) => {
    requests.push(url)
    const location = locations[url]
    if (location !== undefined) response.writeHead(302, { location }).end()
    else if (bodies[url] === undefined) response.writeHead(404).end()
    else response.end(bodies[url])
  })
  await new Promise<void>(resolve => {
    source.listen(0, '127.0.0.1', resolve)
  })
  world = await startWorld(
    { 'photos.cache.maxMb': 10, 'photos.cache.maxSourceMb': 1, 'photos.cache.allowPrivate': true },
    'empty',
  )
  await importRows(world.config, 'location', [place()])
})
afterAll(async () => {
  await world.close()
  source.close()
})

const get = (path: Path, size: PictureSize | 'huge' = 'small', headers = {}) =>
  world.get(`/photos/${idOf(path)}/${size}`, { key: null, headers })

test('the list has addresses of the service, with sizes', async () => {
  const reply = await world.get('/locations/1/photos?size=1')
  expectDocumented(reply, '/locations/1/photos?size=1')
  const base = `${world.url}/photos/${idOf('wide')}`
  expect(reply.json()).toMatchObject({
    data: [
      {
        url: `${base}/large`,
        width: 1280,
        height: 640,
        sizes: [
          { size: 'thumbnail', url: `${base}/thumbnail`, width: 150, height: 75 },
          { size: 'small', width: 320, height: 160 },
          { size: 'medium', width: 640, height: 320 },
          { size: 'large', width: 1280, height: 640 },
        ],
      },
    ],
  })
})

test('a picture is fetched once and sent in each size, without its metadata', async () => {
  requests = []
  const replies = await Promise.all(pictureSizeNames.map(size => get('wide', size)))
  const read = await Promise.all(replies.map(({ bytes }) => sharp(bytes).metadata()))
  expect(read.map(({ width, height, format, exif }) => [width, height, format, exif])).toEqual([
    [150, 75, 'jpeg', undefined],
    [320, 160, 'jpeg', undefined],
    [640, 320, 'jpeg', undefined],
    [1280, 640, 'jpeg', undefined],
  ])
  expect(requests).toEqual(['/wide'])
  expect(replies[0]!.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=86400',
    'x-content-type-options': 'nosniff',
  })
  const again = await get('wide', 'thumbnail', { 'If-None-Match': replies[0]!.headers.etag })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  expect(requests).toEqual(['/wide'])
})

test('a small picture is not enlarged, and redirects are followed', async () => {
  for (const path of ['small', 'redirect'] as const) {
    const reply = await get(path, 'large')
    expect(await sharp(reply.bytes).metadata()).toMatchObject({ width: 90, height: 60, format: 'jpeg' })
  }
})

test.each([
  ['loop', 'does not send it'],
  ['file', 'not a public one'],
  ['page', 'no picture'],
  ['broken', 'no picture'],
  ['svg', 'no picture'],
  ['large', 'too large'],
  ['gone', 'does not send it'],
] as [Path, string][])('%s is 404 with a sentence, and remembered', async (path, sentence) => {
  const reply = await get(path)
  expect([reply.status, reply.text]).toEqual([404, expect.stringContaining(sentence)])
  requests = []
  expect((await get(path)).status).toBe(404)
  expect(requests).toEqual([])
})

test.each([['huge'], ['../wide']])('an unknown size or photo is 404: %s', async size => {
  expect((await get('wide', size as 'huge')).status).toBe(404)
  expect((await world.get(`/photos/l1-000000000000000000000000/small`)).status).toBe(404)
})

test('a hidden photo is not sent, and an erased one is swept', async () => {
  const photos = (...args: string[]) => periplus(['photos', ...args, '--data', world.config.data])
  await photos('hide', idOf('small'))
  expect((await get('small')).status).toBe(404)
  await photos('show', idOf('small'))
  expect((await get('small')).status).toBe(200)
  await photos('erase', idOf('small'))
  expect((await get('small')).status).toBe(404)
  const files = new PictureFiles(join(world.config.data, 'photos'))
  const kept = async () => (await files.list(0)).map(({ photoId }) => photoId).sort()
  const all = await kept()
  expect(all).toContain(idOf('small'))
  const exists = async (photoId: string) => photoId !== idOf('small')
  await sweepPictures({ files, maxBytes: 1e9, nowMs: 0, exists })
  expect(await kept()).toEqual(all.filter(id => id !== idOf('small')))
  await sweepPictures({ files, maxBytes: 1, nowMs: 0, exists })
  expect(await kept()).toEqual([])
})

test('private addresses are refused unless the operator allows them', async () => {
  const strict = await startWorld({ 'photos.cache.maxMb': 10 }, 'empty')
  await importRows(strict.config, 'location', [place()])
  requests = []
  const reply = await strict.get(`/photos/${idOf('wide')}/small`)
  expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('not a public one')])
  expect(requests).toEqual([])
  await strict.close()
})
