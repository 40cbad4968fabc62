import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createTemplate, describeWith, startValkey, useDatabase, whyMissing } from './engines.ts'

describeWith(['pg'], 'databases of tests', () => {
  test('are copies of a template that one process fills', async () => {
    const fill = async (url: string) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('CREATE TABLE filled AS SELECT 1 AS one')
      await client.end()
    }
    const names = await Promise.all([
      createTemplate('template_engines', fill),
      createTemplate('template_engines', fill),
    ])
    const urls = await Promise.all(names.map(useDatabase))
    expect(new Set(urls).size).toBe(2)
    for (const connectionString of urls) {
      const client = new pg.Client({ connectionString })
      await client.connect()
      expect((await client.query('SELECT one FROM filled')).rows).toEqual([{ one: 1 }])
      await client.end()
    }
  })
})

describeWith(['valkey'], 'a server of a test', () => {
  test('starts again on its port after a kill, and ends', async () => {
    const first = await startValkey()
    process.kill(first.pid, 'SIGKILL')
    const second = await first.restart()
    expect([second.port, second.pid === first.pid]).toEqual([first.port, false])
    await second.stop()
    expect(() => execFileSync('ps', ['-p', String(second.pid)])).toThrow()
  })
})

test('a missing server that is required fails the run', () => {
  const before = { ...process.env }
  try {
    Object.assign(process.env, { PERIPLUS_TEST_PG: '/missing', PERIPLUS_TEST_REQUIRE: 'pg' })
    expect(() => whyMissing('pg')).toThrow('PERIPLUS_TEST_PG names no program: /missing')
  } finally {
    process.env = before
  }
})
