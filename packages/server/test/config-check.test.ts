import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { periplus } from './cli.ts'
import { makeKey, scratch, startWorld, type World } from './world.ts'

const folder = scratch()
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await world.close()
  folder.remove()
})

const writeConfig = (text: string): string => {
  const path = join(folder.path, 'periplus.yaml')
  writeFileSync(path, text)
  return path
}

test('reports all errors at once, each with its line', async () => {
  const config = writeConfig(`versions:
  "1": {deprecated: 2027-01-02, sunset: 2027-01-01}
  "9": {status: stable}
endpoints:
  getLocation: {deprecated: 2027-02-31}
server: {port: 99999}
`)
  const { code, stderr } = await periplus(['config', 'check', '--config', config])
  expect(code).toBe(2)
  const reported = stderr
    .trim()
    .split('\n')
    .map(line => line.replace(/ \(.*? line (\d+)\).*/, ' $1'))
  expect(reported.sort()).toEqual([
    'endpoints.getLocation.deprecated 5',
    'server.port 6',
    'versions.1.sunset 2',
    'versions.9 3',
  ])
})

describe('a lifecycle that leaves no stable version for requests without one', () => {
  test.each([
    [
      'an end in the past',
      'versions:\n  "1":\n    deprecated: 2020-01-01\n    sunset: 2021-01-01\n',
      'versions.1.sunset',
      4,
    ],
    ['a retired version', 'versions:\n  "1": {status: retired}\n', 'versions.1.status', 2],
    ['a version that is a preview again', 'versions:\n  "1":\n    status: preview\n', 'versions.1.status', 3],
  ])('%s is an error of config check and serve, with its line', async (_name, text, path, line) => {
    const config = writeConfig(text)
    const data = join(folder.path, 'none')
    for (const args of [
      ['config', 'check'],
      ['serve', '--data', data],
      ['demo', '--data', data],
    ]) {
      const { code, stderr } = await periplus([...args, '--config', config])
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} (${config} line ${line}): `)])
      expect(existsSync(data)).toBe(false)
    }
  })

  test('an end in the past does not stop the commands that do not serve', async () => {
    const config = writeConfig('versions: {"1": {deprecated: 2020-01-01, sunset: 2021-01-01}}\n')
    expect((await periplus(['keys', 'list', '--config', config, '--data', world.config.data])).code).toBe(0)
  })
})

test('ended feed versions must exist', async () => {
  const { code, stderr } = await periplus([
    'config',
    'check',
    '--config',
    writeConfig('feeds:\n  endedVersions:\n    - "0"\n    - "7"\n'),
  ])
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^feeds\.endedVersions\.1 \(.* line 4\): version 7 does not exist; the versions are 0, 1, 2\.$/m,
    ),
  ])
})

test.each([
  ['feeds:\n  endedVersions: [v1]\n', 'version v1 does not exist; the versions are 0, 1, 2.'],
  ['feeds:\n  endedVersions: [0]\n', 'expected text such as "0", found 0.'],
  ['docs:\n  terms: example.org\n', 'expected text such as https://places.example.org/terms, found "example.org".'],
])('%j is reported once, with a value that is valid', async (text, message) => {
  const { code, stderr } = await periplus(['config', 'check', '--config', writeConfig(text)])
  expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringMatching(/ line 2\): /)]])
  expect(stderr).toContain(message)
})

test('lists the keys that rely on the default version before a promotion (R-16, SPEC §9.1)', async () => {
  const pinned = await makeKey(world.config)
  const relying = await makeKey(world.config)
  for (const query of ['?version=1', '?version=1']) await world.get(`/locations/1${query}`, { key: pinned.secret })
  for (const query of ['', '?version=2', '']) await world.get(`/locations/1${query}`, { key: relying.secret })
  const config = writeConfig('versions: {"2": {status: stable, deprecated: 2027-01-01, sunset: 2027-06-01}}\n')
  const result = await periplus(['config', 'check', '--json', '--config', config, '--data', world.config.data])
  expect(result.json()).toEqual({
    ok: true,
    warnings: [expect.stringContaining('151 days')],
    default_version: '2',
    relying_on_default: [{ key: relying.id, partner: 'tester', version: '1', calls: 2 }],
  })
  const byVersion = await periplus(['usage', '--by', 'key,version', '--json', '--data', world.config.data])
  expect(byVersion.json<{ rows: object[] }>().rows).toContainEqual(
    expect.objectContaining({ key: pinned.id, version: '1', calls: 2 }),
  )
})
