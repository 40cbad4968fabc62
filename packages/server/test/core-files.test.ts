/**
 * Each core file × what happened to it × each command: the exit code and the sentences, compared with
 * golden/core-files.txt. `npm run bless` rewrites the file.
 */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeErrorText } from '../src/cli/store-error-text.ts'
import { composeServer } from '../src/compose/server.ts'
import { StoreError } from '../src/domain/store-errors.ts'
import { periplus } from './cli.ts'
import { send } from './http-client.ts'
import { configFor, makeKey, ndjson, scratch } from './world.ts'

const golden = fileURLToPath(new URL('./golden/core-files.txt', import.meta.url))
const bless = process.env.PERIPLUS_BLESS === '1'

const scratched = scratch()
afterAll(scratched.remove)
const [ours, theirs, broken] = ['ours', 'theirs', 'broken'].map(name => join(scratched.path, name)) as [
  string,
  string,
  string,
]
const [rows, row] = [join(scratched.path, 'rows.ndjson'), join(scratched.path, 'row.ndjson')]
const feed = join('feeds', 'locations', 'v1')

/**
 * Returns the core files of a data folder, relative to it. Other files of feeds are in feeds/damaged.test.ts, and the
 * index in search/index-life.test.ts.
 */
function coreFiles(): string[] {
  const snapshot = readdirSync(join(ours, feed)).find(name => name.endsWith('-v1'))!
  return [
    ...['control.sqlite', 'data/g1/data.sqlite', 'data/CURRENT', 'pepper', 'journal'],
    ...['feeds/signing-key.pem', join(feed, snapshot, 'manifest.json')],
  ]
}

/** Commands that open the files of feeds. All others ignore the damage, or copy it. */
const feedCommands = new Set(['verify', 'feeds build'])
const isFeedFile = (file: string) => file.startsWith('feeds')

type Damage = (file: string) => void
const inBroken = (file: string) => join(broken, file)

const damages: Readonly<Record<string, Damage>> = {
  gone: file => rmSync(inBroken(file), { recursive: true }),
  empty: file => {
    if (!statSync(inBroken(file)).isDirectory()) return truncateSync(inBroken(file), 0)
    for (const name of readdirSync(inBroken(file))) rmSync(join(inBroken(file), name))
  },
  flipped: file => {
    if (statSync(inBroken(file)).isDirectory()) {
      rmSync(inBroken(file), { recursive: true })
      writeFileSync(inBroken(file), 'not a folder')
    } else flipByte(inBroken(file))
  },
  foreign: file => {
    rmSync(inBroken(file), { recursive: true })
    cpSync(join(theirs, file), inBroken(file), { recursive: true })
  },
}

/** Inverts a byte: of a database the type of its second page, of other files the one in the middle. */
function flipByte(file: string): void {
  const bytes = readFileSync(file)
  const at = file.endsWith('.sqlite') ? 4096 : Math.floor(bytes.length / 2)
  bytes[at] = bytes[at]! ^ 0xff
  writeFileSync(file, bytes)
}

const command =
  (...args: string[]) =>
  async () => {
    const { code, stderr } = await periplus([...args, '--data', broken])
    return [`exit ${code}`, ...(code === 0 ? [] : lines(stderr))]
  }

async function verify(): Promise<string[]> {
  const { code, json } = await periplus(['verify', '--json', '--data', broken])
  const { problems } = json<{ problems: { file: string; problem: string }[] }>()
  return [`exit ${code}`, ...problems.map(({ file, problem }) => `${file}: ${problem}`)]
}

const commands: Readonly<Record<string, () => Promise<string[]>>> = {
  serve,
  verify,
  'feeds build': command('feeds', 'build', '--feed', 'locations'),
  import: command('import', row),
  backup: command('backup', join(scratched.path, 'backup')),
}

/** Beginning of a note that disappears when the index has been loaded or built. */
const indexNote = 'The search index is being built'

/** Serves the folder until it is ready or refused, and returns the notes of /readyz or the message of the refusal. */
async function serve(): Promise<string[]> {
  const config = configFor(broken)
  try {
    const service = await composeServer(config, { demo: false, recreate: [] })
    const url = await service.listen()
    const reply = await send(url, '/readyz')
    const {
      status,
      notes = [],
      reasons = [],
    } = reply.json() as {
      status: string
      notes?: string[]
      reasons?: string[]
    }
    await service.drain()
    return [status, ...notes.filter(note => !note.startsWith(indexNote)), ...reasons]
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return ['exit 1', storeErrorText(error)]
  }
}

/** Returns the lines of a text without progress, whose lines overwrite each other. */
const lines = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '' && !line.includes('\r'))

/** Replaces what differs between runs. */
const normalise = (text: string): string =>
  text
    .replaceAll(scratched.path, '')
    .replaceAll(/\d{4}-\d\d-\d\d\.\d+-v1/g, '<snapshot>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/by the key [0-9a-f]{16}/g, 'by the key <key>')
    .replaceAll(/\d+\.\d+ s\b|\d+ ms\b/g, '<time>')
    .replaceAll(/\d[\d.,]* (bytes|kB|MB)/g, '<size>')
    .replaceAll(/(its manifest says) \d+/g, '$1 <size>')

async function makeFolder(folder: string, count: number): Promise<void> {
  const places = Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: 1, lon: i / 100 }))
  writeFileSync(rows, ndjson(places))
  for (const args of [
    ['import', rows],
    ['feeds', 'build'],
  ])
    expect((await periplus([...args, '--data', folder])).code).toBe(0)
  await callOnce(folder)
}

/** Makes one call, so that journal and ledger are in use. */
async function callOnce(folder: string): Promise<void> {
  const config = configFor(folder)
  const { secret } = await makeKey(config)
  const service = await composeServer(config, { demo: false, recreate: [] })
  const url = await service.listen()
  expect((await send(url, '/locations/1', { headers: { 'X-API-Key': secret } })).status).toBe(200)
  await service.drain()
}

let actual: string[]

beforeAll(async () => {
  await makeFolder(theirs, 400)
  await makeFolder(ours, 300)
  writeFileSync(row, ndjson([{ id: 301, name: 'Another', lat: 1, lon: 1 }]))
  actual = []
  for (const file of coreFiles())
    for (const [damage, inflict] of Object.entries(damages)) {
      const outcomes = new Map<string, string[]>()
      for (const [name, run] of Object.entries(commands)) {
        if (isFeedFile(file) && !feedCommands.has(name)) continue
        for (const path of [broken, join(scratched.path, 'backup')]) rmSync(path, { recursive: true, force: true })
        cpSync(ours, broken, { recursive: true })
        inflict(file)
        const outcome = (await run()).map(line => `    ${normalise(line)}`).join('\n')
        outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), name])
      }
      actual.push(`${normalise(file)}, ${damage}`)
      for (const [outcome, names] of outcomes) actual.push(`  ${names.join(', ')}`, outcome)
    }
})

test('each command answers each broken core file as recorded', () => {
  const text = `${actual.join('\n')}\n`
  if (bless) writeFileSync(golden, text)
  expect(text).toBe(readFileSync(golden, 'utf8'))
})
