/**
 * Files and folders that commands create are accessible to their user only, whatever the umask of the shell is.
 */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { warnOfReadableFiles } from '../src/compose/serving-folder.ts'
import type { Logger } from '../src/kit/log.ts'
import { periplus, serve } from './cli.ts'
import { send } from './http-client.ts'
import { filesOf } from './store-files.ts'
import { configFor, makeKey, ndjson, scratch } from './world.ts'

const folder = scratch()
afterAll(folder.remove)
const data = join(folder.path, 'data')
const backup = join(folder.path, 'backup')

beforeEach(() => {
  process.umask(0o022)
})

/** Returns the files and folders that other users can access, as `path mode`. */
const openIn = (root: string) =>
  [root, ...(readdirSync(root, { recursive: true }) as string[]).map(name => join(root, name))]
    .map(path => ({ path, mode: statSync(path, { throwIfNoEntry: false })?.mode ?? 0 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => `${path} ${(mode & 0o777).toString(8)}`)

test('an import, keys, feeds, a running service, a backup and a restore create private files', async () => {
  const rows = [...[1, 2].map(id => ({ id, name: `Place ${id}`, lat: 1, lon: 1 })), { id: 3, name: 'Rejected' }]
  const inData = ['--data', data]
  await periplus(['import', '-', ...inData, '--force'], { stdin: ndjson(rows) })
  const { secret } = await makeKey(configFor(data))
  expect((await periplus(['feeds', 'build', '--feed', 'enums', ...inData])).code).toBe(0)
  expect(openIn(data)).toEqual([])
  process.umask(0o022)
  const served = await serve(data, ['--log-level', 'warn'])
  expect((await send(served.url, '/locations/1', { headers: { 'X-API-Key': secret } })).status).toBe(200)
  const names = readdirSync(data, { recursive: true }) as string[]
  expect(names.some(name => name.endsWith('-wal')) && names.some(name => name.endsWith('-shm'))).toBe(true)
  expect(openIn(data)).toEqual([])
  await served.stop()
  expect(served.log()).toBe('')
  // The files of an older release may be readable by everyone; their copies are not.
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o755)
  chmodSync(filesOf(data).pepper, 0o644)
  expect((await periplus(['backup', backup, ...inData])).code).toBe(0)
  expect(openIn(backup)).toEqual([])
  chmodSync(join(backup, 'pepper'), 0o644)
  const restored = join(folder.path, 'restored')
  expect((await periplus(['restore', backup, '--data', restored])).code).toBe(0)
  expect(openIn(restored)).toEqual([])
})

test('a service warns of a data folder that other users can read', () => {
  const warnings: string[] = []
  const log = { warn: (_: object, text: string) => warnings.push(text) } as unknown as Logger
  const layout = filesOf(data)
  chmodSync(data, 0o750)
  warnOfReadableFiles(layout, log)
  expect(warnings).toEqual([])
  chmodSync(data, 0o755)
  warnOfReadableFiles(layout, log)
  expect(warnings).toEqual([
    `Other users of this machine can read ${data}. Run 'chmod -R o-rwx ${data}' unless this is intended.`,
  ])
})
