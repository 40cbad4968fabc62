/**
 * Files of the journal that are removed from a data folder: billing continues, and the operator learns of it.
 */
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus } from './cli.ts'
import { openUsage, verifyFolder } from './composed.ts'
import { send } from './http-client.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0 }, [{ id: 1, name: 'One', lat: 1, lon: 1 }])
})
afterAll(() => world.close())

const soon = { timeout: 30_000, interval: 20 }
const journal = () => join(world.config.data, 'journal')
/** Names in the folder, without the extensions that retention changes. */
const files = () =>
  readdirSync(journal())
    .map(name => name.replace(/\.log(\.zst)?$/, ''))
    .sort()
const call = async (times: number) => {
  for (let i = 0; i < times; i++) expect((await world.get('/locations/1')).status).toBe(200)
}
const readNotes = async () => {
  const { notes = [] } = (await world.get('/readyz')).json() as { notes?: string[] }
  return notes.filter(note => note.includes('journal'))
}
const damaged = async (outcome: 'restored' | 'lost') =>
  (await send(world.adminUrl!, '/metrics')).text
    .split('\n')
    .find(line => line.startsWith(`periplus_journal_damaged_files_total{outcome="${outcome}"}`))
    ?.split(' ')[1]
async function billed(): Promise<number> {
  const { usage, close } = openUsage(world.config)
  try {
    return (await usage.report({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, ['operation'], 'UTC')).units
  } finally {
    await close()
  }
}

test('files that are removed while the service runs cost no call, and are noticed', async () => {
  expect([await damaged('restored'), await damaged('lost')]).toEqual(['0', '0'])
  await call(30)
  rmSync(journal(), { recursive: true })
  await call(30)
  await expect
    .poll(() => readNotes(), soon)
    .toEqual([
      expect.stringMatching(
        /^File 1 of the journal was removed while it was in use\. Every call that the ledger did not have/,
      ),
    ])
  await call(30)
  expect(await damaged('restored')).toBe('1')
  expect(files()).toEqual(['.folder', '00000001', '00000002'])
  expect(await billed()).toBe(90)
  await world.restart()
  expect(await readNotes()).toEqual([])
  expect(await billed()).toBe(90)
  expect(await verifyFolder(world.config)).toEqual([])
})

test('files that are removed between two runs are reported, and counting continues after the ledger’s position', async () => {
  await call(10)
  await world.restart()
  const before = await billed()
  await world.restart(() => {
    for (const name of readdirSync(journal())) if (name !== '.folder') rmSync(join(journal(), name))
    // Stray entries have no effect.
    writeFileSync(join(journal(), '99999999.log'), '')
  })
  await call(10)
  expect(await readNotes()).toEqual([
    expect.stringMatching(
      /^File 1 of the journal is missing\. The ledger has read \d+ bytes of it and counted \d+ calls, the last at /,
    ),
    expect.stringMatching(/^File 2 of the journal is missing\./),
  ])
  expect(await damaged('lost')).toBe('2')
  expect(files()).toEqual(['.folder', '00000003', '99999999'])
  expect(await billed()).toBe(before + 10)
})

test('verify lists each damaged file and ends; a copied file is billed once', async () => {
  const before = await billed()
  await world.restart(() => copyFileSync(join(journal(), '00000003.log'), join(journal(), '00000004.log')))
  await call(5)
  await expect.poll(() => billed(), soon).toBe(before + 5)
  await world.restart()
  const verified = await periplus(['verify', '--data', world.config.data, '--json'])
  expect(verified.code).toBe(1)
  const { problems } = verified.json<{ problems: { file: string; problem: string }[] }>()
  expect(problems.map(({ file }) => file).sort()).toEqual([
    'journal/00000001.log',
    'journal/00000002.log',
    'journal/00000004.log',
    'journal/99999999.log',
  ])
  expect(await billed()).toBe(before + 5)
})
