import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseBlobAddress } from '../../../src/domain/blob-address.ts'
import { type BlobStore, InvalidBlobKey } from '../../../src/domain/blob-store.ts'
import { StoreError, StoreFailure } from '../../../src/domain/store-errors.ts'
import { openBlobs } from '../../../src/store/blobs/open.ts'
import { lacksLinks } from '../../../src/store/blobs/shared-folder.ts'
import { describeWith, findS3 } from '../../engines.ts'
import { startCuttingProxy } from '../cutting-proxy.ts'

let files: string

beforeAll(() => {
  files = mkdtempSync(join(tmpdir(), 'periplus-blobs-'))
})
afterAll(() => rmSync(files, { recursive: true }))

const createFolder = (): string => mkdtempSync(join(files, 'folder-'))

function fileOf(contents: string | Uint8Array): string {
  const file = join(files, randomUUID())
  writeFileSync(file, contents)
  return file
}

async function openAt(text: string): Promise<BlobStore> {
  const address = parseBlobAddress(text)
  if (typeof address === 'string') throw new Error(address)
  const blobs = await openBlobs(address)
  onTestFinished(() => blobs.close())
  return blobs
}

/** Returns the address of an empty part of the S3 store; `port` replaces the one of its endpoint. */
async function createS3Prefix(port?: number): Promise<string> {
  const url = new URL(await findS3())
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${randomUUID()}`
  if (port !== undefined) url.searchParams.set('endpoint', `http://127.0.0.1:${port}`)
  return url.href
}

async function read(blobs: BlobStore, key: string, start?: number, length?: number): Promise<Buffer | undefined> {
  const body = await blobs.get(key, start === undefined ? undefined : { start, length: length! })
  return body && buffer(body)
}

const textOf = async (...args: Parameters<typeof read>) => (await read(...args))?.toString()

const keysOf = async (blobs: BlobStore, prefix: string): Promise<string[]> =>
  (await Array.fromAsync(blobs.list(prefix), ({ key }) => key)).sort()

const sha256 = (bytes: Uint8Array | undefined) => bytes && createHash('sha256').update(bytes).digest('hex')

const largeBytes = 33 << 20

/** Starts a process that puts a file. */
function startPut(address: string, key: string, file: string): ChildProcess {
  const fixture = fileURLToPath(new URL('../put-blob.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [fixture, address, key, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hostileKeys = [
  ...['', '/', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', '.drafts/a', 'a/.b', '-a', 'a.', 'a/b.'],
  ...['A', 'ä', 'a b', 'a\\b', 'a:b', 'a\0b', 'a\nb', 'a%2fb', 'a?b', 'a#b', '~', 'a'.repeat(201), 'a/'.repeat(256)],
]

const stores = [
  { name: 'a folder', needs: [], many: 40, address: async () => createFolder() },
  { name: 'an S3 store', needs: ['s3'], many: 1050, address: () => createS3Prefix() },
] as const

for (const { name, needs, many, address } of stores)
  describeWith(needs, `blobs in ${name}`, () => {
    beforeAll(async () => {
      await address()
    }, 60_000)

    test('keep the bytes of a file until they are replaced or deleted', async () => {
      const blobs = await openAt(await address())
      expect(await blobs.put('feeds/v1/a.json', fileOf('first'))).toBe('stored')
      expect(await textOf(blobs, 'feeds/v1/a.json')).toBe('first')
      expect(await blobs.head('feeds/v1/a.json')).toEqual({ bytes: 5 })
      expect(await blobs.put('feeds/v1/a.json', fileOf('second'))).toBe('stored')
      expect(await textOf(blobs, 'feeds/v1/a.json')).toBe('second')
      await blobs.delete('feeds/v1/a.json')
      await blobs.delete('feeds/v1/a.json')
      expect(await blobs.get('feeds/v1/a.json')).toBeUndefined()
      expect(await blobs.head('feeds/v1/a.json')).toBeUndefined()
      expect(await keysOf(blobs, '')).toEqual([])
    })

    test('refuse a second file under one key if it must be absent', async () => {
      const blobs = await openAt(await address())
      expect(await blobs.put('a/b', fileOf('first'), { onlyIfAbsent: true })).toBe('stored')
      expect(await blobs.put('a/b', fileOf('second'), { onlyIfAbsent: true })).toBe('exists')
      expect(await textOf(blobs, 'a/b')).toBe('first')
      await blobs.delete('a/b')
      expect(await blobs.put('a/b', fileOf('third'), { onlyIfAbsent: true })).toBe('stored')
    })

    test('let one of several publishers of a key win', async () => {
      const place = await address()
      const publishers = await Promise.all([openAt(place), openAt(place), openAt(place)])
      for (let round = 0; round < 5; round++) {
        const key = `races/${round}/manifest.json`
        const outcomes = await Promise.all(
          Array.from({ length: 9 }, (_, i) => publishers[i % 3]!.put(key, fileOf(`by ${i}`), { onlyIfAbsent: true })),
        )
        expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength(1)
        expect(await textOf(publishers[0]!, key)).toBe(`by ${outcomes.indexOf('stored')}`)
      }
    })

    test('show a blob to readers with all its bytes while it is replaced', async () => {
      const blobs = await openAt(await address())
      const contents = ['a'.repeat(300_000), 'b'.repeat(500_000)].map(fileOf)
      await blobs.put('k', contents[0]!)
      const writing = (async () => {
        for (let i = 1; i <= 6; i++) await blobs.put('k', contents[i % 2]!)
      })()
      for (let i = 0; i < 12; i++) expect(['300000a', '500000b']).toContain(await describeBytes(blobs))
      await writing

      async function describeBytes(from: BlobStore): Promise<string> {
        const text = (await textOf(from, 'k'))!
        return text.length + [...new Set(text)].join('')
      }
    })

    test('hand out ranges', async () => {
      const blobs = await openAt(await address())
      await blobs.put('text', fileOf('0123456789'))
      await blobs.put('empty', fileOf(''))
      const ranges = [
        [0, 10, '0123456789'],
        [2, 3, '234'],
        [9, 1, '9'],
        [8, 100, '89'],
        [0, 0, ''],
        [10, 1, ''],
        [5000, 10, ''],
      ] as const
      for (const [start, length, text] of ranges) expect(await textOf(blobs, 'text', start, length)).toBe(text)
      expect(await textOf(blobs, 'empty')).toBe('')
      expect(await textOf(blobs, 'empty', 0, 10)).toBe('')
      expect(await blobs.get('missing', { start: 0, length: 0 })).toBeUndefined()
      expect(await blobs.get('missing', { start: 3, length: 1 })).toBeUndefined()
      for (const [start, length] of [
        [-1, 1],
        [0, -1],
        [0.5, 1],
        [0, Number.NaN],
      ] as const)
        await expect(async () => blobs.get('text', { start, length })).rejects.toThrow(RangeError)
    })

    test('take files that are sent in parts', async () => {
      const blobs = await openAt(await address())
      const bytes = randomBytes(largeBytes)
      const file = fileOf(bytes)
      expect(await blobs.put('large', file, { onlyIfAbsent: true })).toBe('stored')
      expect(await blobs.head('large')).toEqual({ bytes: largeBytes })
      expect(sha256(await read(blobs, 'large'))).toBe(sha256(bytes))
      const start = (16 << 20) - 5
      expect(await read(blobs, 'large', start, 10)).toEqual(bytes.subarray(start, start + 10))
      expect(await blobs.put('large', fileOf('small'), { onlyIfAbsent: true })).toBe('exists')
      expect(await blobs.put('large', file, { onlyIfAbsent: true })).toBe('exists')
      expect(await blobs.put('large', file)).toBe('stored')
      const body = await blobs.get('large')
      body!.destroy()
    })

    test('list the keys that begin with a prefix', async () => {
      const blobs = await openAt(await address())
      const keys = Array.from({ length: many }, (_, i) => `parts/${i % 3}/part-${i}`)
      const file = fileOf('part')
      const left = [...keys, 'parts-of/other', 'other']
      const put = async () => {
        for (let key = left.pop(); key !== undefined; key = left.pop()) await blobs.put(key, file)
      }
      await Promise.all(Array.from({ length: 8 }, put))
      expect(await keysOf(blobs, '')).toEqual([...keys, 'parts-of/other', 'other'].sort())
      expect(await keysOf(blobs, 'parts/')).toEqual(keys.toSorted())
      expect(await keysOf(blobs, 'parts/1/')).toEqual(keys.filter(key => key.startsWith('parts/1/')).sort())
      expect(await keysOf(blobs, 'parts/1/part-1')).toEqual(keys.filter(key => key.startsWith('parts/1/part-1')).sort())
      expect(await keysOf(blobs, 'oth')).toEqual(['other'])
      expect(await keysOf(blobs, 'missing/')).toEqual([])
      expect((await Array.fromAsync(blobs.list('other')))[0]).toEqual({ key: 'other', bytes: 4 })
    })

    test.each(hostileKeys)('refuse %j as a key', async key => {
      const blobs = await openHostile()
      const calls = [
        () => blobs.put(key, fileOf('')),
        () => blobs.get(key),
        () => blobs.head(key),
        () => blobs.delete(key),
      ]
      for (const call of calls) await expect(async () => call()).rejects.toThrow(InvalidBlobKey)
      const isPrefix = ['', 'a/', 'a.', 'a/b.'].includes(key)
      if (!isPrefix) await expect(keysOf(blobs, key)).rejects.toThrow(InvalidBlobKey)
    })

    let hostile: Promise<BlobStore> | undefined
    const openHostile = () => {
      hostile ??= address().then(openAt)
      return hostile
    }

    test('pass on the error of a file that does not exist', async () => {
      const blobs = await openAt(await address())
      await expect(blobs.put('a', join(files, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await keysOf(blobs, '')).toEqual([])
    })
  })

describe('blobs in a folder', () => {
  test('need a folder that exists, and hard links', async () => {
    await expect(openAt(join(files, 'missing'))).rejects.toThrow(/does not exist\. Create it, or mount its storage\.$/)
    await expect(openAt(fileOf('a file'))).rejects.toThrow(StoreError)
    expect(lacksLinks(Object.assign(new Error(), { syscall: 'link', code: 'ENOTSUP' }))).toBe(true)
    expect(lacksLinks(Object.assign(new Error(), { syscall: 'open', code: 'EPERM' }))).toBe(false)
  })

  test('do not show files that are no blobs, and follow no links to files', async () => {
    const folder = createFolder()
    const blobs = await openAt(folder)
    await blobs.put('a/b', fileOf('b'))
    writeFileSync(join(folder, '.hidden'), 'no key')
    writeFileSync(join(folder, 'Upper'), 'no key')
    symlinkSync(fileOf('outside'), join(folder, 'link'))
    expect(await keysOf(blobs, '')).toEqual(['a/b'])
    expect(await blobs.get('link')).toBeUndefined()
    expect(await blobs.get('a')).toBeUndefined()
  })

  test('show nothing of a killed process, whose drafts are deleted later', async () => {
    const folder = createFolder()
    const file = fileOf('')
    truncateSync(file, largeBytes)
    const child = startPut(folder, 'killed', file)
    const drafts = join(folder, '.drafts')
    await new Promise(resolve => child.stdout!.once('data', resolve))
    await vi.waitFor(() => expect([...readdirSync(drafts), ...readdirSync(folder)].length).toBeGreaterThan(1), {
      interval: 1,
    })
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('close', resolve))
    const blobs = await openAt(folder)
    expect([undefined, largeBytes]).toContain((await blobs.head('killed'))?.bytes)

    for (const name of ['old', 'new']) writeFileSync(join(drafts, name), 'half')
    utimesSync(join(drafts, 'old'), 1, 1)
    await openAt(folder)
    expect(readdirSync(drafts)).toContain('new')
    expect(readdirSync(drafts)).not.toContain('old')
    expect((await keysOf(blobs, '')).filter(key => key !== 'killed')).toEqual([])
  })

  test('remove the folders that deletions have emptied while others write there', async () => {
    const folder = createFolder()
    const blobs = await openAt(folder)
    mkdirSync(join(folder, 'kept'))
    const file = fileOf('x')
    const write = async (key: string) => {
      for (let i = 0; i < 20; i++) {
        expect(await blobs.put(key, file, { onlyIfAbsent: true })).toBe('stored')
        await blobs.delete(key)
      }
    }
    await Promise.all(['a/b/c', 'a/b/d', 'a/e'].map(write))
    expect(readdirSync(folder).sort()).toEqual(['.drafts', 'kept'])
  })
})

describeWith(['s3'], 'blobs in an S3 store behind a cutting proxy', () => {
  beforeAll(findS3, 60_000)

  const startProxy = async () =>
    startCuttingProxy(Number(new URL(new URL(await findS3()).searchParams.get('endpoint')!).port))

  test('read on where a connection was cut', async () => {
    const proxy = await startProxy()
    const blobs = await openAt(await createS3Prefix(proxy.port))
    const bytes = randomBytes(3_000_000)
    await blobs.put('a', fileOf(bytes))
    let left = 3
    proxy.cut = (direction, _, done) => direction === 'reply' && done > 500_000 && left-- > 0
    expect(sha256(await read(blobs, 'a'))).toBe(sha256(bytes))
    expect(sha256(await read(blobs, 'a', 1000, 2_500_000))).toBe(sha256(bytes.subarray(1000, 2_501_000)))
    expect(proxy.cuts).toBe(3)
    proxy.cut = (direction, piece) => direction === 'reply' && piece.length > 0
    await expect(read(blobs, 'a')).rejects.toThrow(StoreFailure)
  })

  test('know their own object when the reply to a conditional write was lost', async () => {
    const proxy = await startProxy()
    const blobs = await openAt(await createS3Prefix(proxy.port))
    for (const [key, contents] of [
      ['small', 'x'],
      ['large', randomBytes(17 << 20)],
    ] as const) {
      let isLast = false
      let left = 1
      proxy.cut = (direction, piece) => {
        if (direction === 'request' && /^(put .*x-id=PutObject|post .*uploadId=)/i.test(piece.toString('latin1')))
          isLast = true
        return direction === 'reply' && isLast && piece.includes(' 200 OK') && left-- > 0
      }
      expect(await blobs.put(key, fileOf(contents), { onlyIfAbsent: true })).toBe('stored')
      expect(left).toBeLessThan(1)
      proxy.cut = undefined
      expect(await blobs.head(key)).toEqual({ bytes: contents.length })
    }
  })

  test('show nothing of a killed process', async () => {
    const proxy = await startProxy()
    const place = await createS3Prefix(proxy.port)
    const half = new Promise<void>(resolve => {
      proxy.cut = (direction, _, done) => {
        if (direction === 'request' && done > 8 << 20) resolve()
        return false
      }
    })
    const child = startPut(place, 'killed', fileOf(randomBytes(largeBytes)))
    await half
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('close', resolve))
    const blobs = await openAt(place)
    expect(await blobs.head('killed')).toBeUndefined()
    expect(await keysOf(blobs, '')).toEqual([])
    expect(await blobs.put('killed', fileOf('again'), { onlyIfAbsent: true })).toBe('stored')
  })

  test('refuse wrong credentials without showing them', async () => {
    const place = await createS3Prefix()
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong-secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(openAt(place)).rejects.toThrow(/^s3:\/\/\S+ refuses the credentials or the action\./)
    await expect(openAt(place)).rejects.not.toThrow(/wrong-secret/)
  })
})

describe('an S3 store', () => {
  /** Starts a server that gives each request the same answer, and opens blobs there. */
  async function openAnswering(status: number, body = ''): Promise<BlobStore> {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
    onTestFinished(() => void vi.unstubAllEnvs())
    const server: Server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status, { ETag: '"x"' }).end(body))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return openAt(`s3://bucket/eu?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  const errorBody = (code: string) => `<Error><Code>${code}</Code><Message>text of the store</Message></Error>`

  test.each([
    [200, '', /^s3:\/\/bucket\/eu\/ replaces objects although .* Use an S3 store with conditional writes/],
    [501, errorBody('NotImplemented'), /replaces objects although/],
    [404, errorBody('NoSuchBucket'), /its bucket does not exist\. Create it, and start again\.$/],
    [403, errorBody('AccessDenied'), /refuses the credentials or the action/],
    [301, errorBody('PermanentRedirect'), /is in another region/],
    [507, errorBody('XMinioStorageFull'), /has no space left/],
    [400, errorBody('Other'), /refuses a request that it should accept/],
    [200, '<html>', /replaces objects although/],
  ])('that answers %i %s is refused with a sentence', async (status, body, sentence) => {
    const failure = await openAnswering(status, body).then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    expect(failure).toBeInstanceOf(StoreError)
    expect(failure!.message).toMatch(sentence)
    expect(failure!.message).not.toContain('text of the store')
  })

  test('that does not answer is named', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(openAt('s3://bucket?endpoint=http://127.0.0.1:1')).rejects.toThrow(
      /^s3:\/\/bucket\/ cannot be reached\. Check that the S3 store runs/,
    )
  })
})
