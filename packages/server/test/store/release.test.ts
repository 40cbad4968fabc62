import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { composeServer } from '../../src/compose/server.ts'
import { periplus } from '../cli.ts'
import { configFor } from '../world.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const releases = readdirSync(fixtures).filter(name => name.startsWith('release-'))

const copiesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.bak'))

describe('opens and serves the data folder of each past release', () => {
  test('fixtures include at least one release', () => expect(releases).not.toEqual([]))

  test.each(releases)('%s', async release => {
    const folder = mkdtempSync(join(tmpdir(), 'periplus-release-'))
    cpSync(join(fixtures, release), folder, { recursive: true })
    const running = await composeServer(configFor(folder, { 'server.port': 0 }), { demo: false })
    const url = await running.listen()
    const headers = { 'X-API-Key': readFileSync(join(folder, 'key.txt'), 'utf8').trim() }
    const read = async (path: string) => (await fetch(`${url}${path}`, { headers })).text()
    try {
      expect(await read('/locations/1?version=1')).toContain('"overall":{"rating":4.5,"count":2')
      expect(await read('/locations/9223372036854775807?version=1')).toContain('{"data":{"id":9223372036854775807,')
      expect(await read('/locations/1/reviews?version=1')).toContain('"total_elements":2')
      // Features of later releases work on the folder, and the migration has kept copies of the old files.
      expect(copiesIn(folder)).not.toEqual([])
      const erased = await periplus(['reviews', 'erase', '1', '--data', folder, '--json'])
      expect(erased.json()).toMatchObject({ removed: 1, pending: [] })
      await expect.poll(() => read('/locations/1?version=1')).toContain('"overall":{"rating":4,"count":1')
      expect((await periplus(['verify', '--data', folder, '--json'])).json().problems).toEqual([])
    } finally {
      await running.drain()
      rmSync(folder, { recursive: true })
    }
  })
})
