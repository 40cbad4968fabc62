import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { composeServer } from '../../src/compose/server.ts'
import { configFor } from '../world.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const releases = readdirSync(fixtures).filter(name => name.startsWith('release-'))

describe('the data folder of a past release is opened and served', () => {
  test('there is at least one', () => expect(releases).not.toEqual([]))

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
    } finally {
      await running.drain()
      rmSync(folder, { recursive: true })
    }
  })
})
