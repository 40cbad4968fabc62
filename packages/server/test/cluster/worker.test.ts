/** `periplus work` as a process: kill -9 of the worker while it builds the search index, and what it says. */
import { mkdirSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { locks } from '../../src/store/postgres/locks.ts'
import { periplus, serve } from '../cli.ts'
import { query } from '../databases.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { startReceiver } from '../receiver.ts'
import { scratch } from '../world.ts'
import { copyNode, work } from './work-process.ts'

/** Keeps all others from reading the places, so that a build of the index waits. Returns the end of this. */
async function lockPlaces(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN; LOCK TABLE locations')
  return () => client.end()
}

const buildsOf = (url: string) =>
  query(
    url,
    `SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
     WHERE locktype = 'advisory' AND granted AND classid = ${locks.indexes}`,
  )

describeWith(['pg'], 'periplus work', () => {
  test('when the worker is killed, another one follows, builds the index and delivers its events again', async () => {
    const store = await useDatabase(await postgresTemplate())
    const blobs = scratch()
    onTestFinished(() => blobs.remove())
    mkdirSync(blobs.path, { recursive: true })
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const env = {
      PERIPLUS_STORE: store,
      PERIPLUS_BLOBS: blobs.path,
      PERIPLUS_SERVER_PUBLIC_URL: 'https://places.example',
      PERIPLUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
      PERIPLUS_FEEDS_SCHEDULE: 'manual',
    }
    const first = scratch()
    onTestFinished(() => first.remove())
    const run = async (...args: string[]) => {
      const result = await periplus([...args, '--data', first.path, '--json'], { env })
      expect(result.stderr).toBe('')
    }
    await run('webhooks', 'add', receiver.url, '--type', 'key.created')
    const unlock = await lockPlaces(store)
    const a = await work(first.path, env)
    await eventually(async () => expect(await a.isElected()).toBe(true))
    await eventually(async () => expect(await buildsOf(store)).toHaveLength(1))
    const b = await work(copyNode(first.path), env)
    await eventually(async () =>
      expect(await b.readiness()).toEqual({
        status: 'ready',
        notes: [expect.stringMatching(/^Standing by: the worker is a process on \S+\.$/)],
      }),
    )
    // A node waits for the index. It would build one only if nobody did for 10 s.
    const node = await serve(copyNode(first.path), [], env)
    onTestFinished(async () => void (await node.stop('SIGKILL')))
    const indexNotes = async () => {
      const { notes = [] } = (await (await fetch(`${node.url}/readyz`)).json()) as { notes?: string[] }
      return notes.filter(note => note.startsWith('The search index'))
    }
    expect(await indexNotes()).toContain(
      'The search index is not here yet: the worker builds it; searches return 503 until it is ready.',
    )
    // The first request is never answered.
    receiver.answer = () => {}
    await run('keys', 'create', '--package', 'discover')
    await eventually(() => expect(receiver.received).toHaveLength(1))
    receiver.answer = response => response.writeHead(204).end()
    await a.stop('SIGKILL')
    await unlock()
    await eventually(async () => expect(await b.isElected()).toBe(true))
    await eventually(() => expect(receiver.received).toHaveLength(2))
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    expect(await b.readiness()).toEqual({ status: 'ready' })
    // What the first worker has not completed is built again, and the node gets it.
    await eventually(async () => expect(await indexNotes()).toEqual([]))
    expect(await query(store, 'SELECT revision FROM search_indexes')).toHaveLength(1)
    expect(await b.stop('SIGTERM')).toBe(0)
    expect(b.log()).toContain('Elected: this process is the worker.')
    expect(b.log() + node.log()).toContain('Published the search index for all nodes.')
  })

  test('missing settings are refused with a sentence', async () => {
    const folder = await periplus(['work', '--data', '/nowhere'])
    expect([folder.code, folder.stderr]).toEqual([
      2,
      'periplus work needs a database: set the setting store to postgres://USER@HOST/DATABASE. With a data folder, periplus serve does this work.\n',
    ])
    const store = { PERIPLUS_STORE: 'postgres://u@h/d' }
    const address = await periplus(['work', '--data', '/nowhere'], { env: store })
    expect([address.code, address.stderr]).toEqual([
      2,
      'periplus work needs the setting server.publicUrl: feeds and mails contain the address of the service.\n',
    ])
    const env = { ...store, PERIPLUS_SERVER_PUBLIC_URL: 'https://places.example' }
    const blobs = await periplus(['work', '--data', '/nowhere'], { env })
    expect([blobs.code, blobs.stderr]).toEqual([
      2,
      'periplus work needs the setting blobs: the feeds that it builds must reach the nodes that serve them.\n',
    ])
  })
})
