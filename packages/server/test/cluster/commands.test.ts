import Value from 'typebox/value'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { type ClusterResource, clusterSchema } from '../../src/resources/cluster.ts'
import { openBlobs } from '../../src/store/blobs/open.ts'
import { periplus } from '../cli.ts'
import { createDatabase, describeWith } from '../engines.ts'
import { openJournalNode, sumUnits, useFolder, usePool } from '../journal-node.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, makeFolder, scratch } from '../world.ts'

const machine = { name: 'machine', release: '1.0.0' }

describeWith(['pg'], 'periplus cluster', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  const folder = scratch()
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
  })
  afterAll(async () => {
    await database?.drop()
    folder.remove()
  })

  const cluster = (...args: string[]) =>
    periplus(['cluster', ...args, '--data', folder.path], { env: { PERIPLUS_STORE: database.url } })

  /** Joins as the node of the folder, and shows signs of life until `die`. */
  const live = async () => {
    const engine = openConfiguredEngine(configFor(folder.path, { store: database.url }), { create: true })
    onTestFinished(() => engine.close())
    const joined = await engine.joinCluster({ ...machine, cache: 'postgres' })
    const candidate = await engine.processes!.join({ role: 'serve', ...machine })
    await candidate.check()
    const beat = () => joined.membership.beat({ mode: 'in', stepUs: 0 })
    await beat()
    const beating = setInterval(() => void beat().catch(() => {}), 100)
    const die = async () => {
      clearInterval(beating)
      await candidate.close()
      await joined.close()
    }
    return { node: joined.node, die }
  }

  test('status shows nodes that live and nodes that do not', async () => {
    const { node, die } = await live()
    const read = async () => (await cluster('status', '--json')).json<ClusterResource>()
    const status = await read()
    expect(Value.Check(clusterSchema, status)).toBe(true)
    expect(status).toMatchObject({
      nodes: [{ id: node, live: true, ...machine, role: 'serve', mode: 'in', journal_position: '1:0' }],
      cache: 'postgres',
      worker: { node, ...machine, role: 'serve' },
    })
    await die()
    const { stdout } = await cluster('status')
    expect(stdout).toMatch(new RegExp(`${node} +machine +serve +1.0.0 +\\d+ +no +in`))
    expect(stdout).toMatch(/worker +none/)
  })

  test('forget refuses a node that lives, and removes one that is lost', async () => {
    const pool = usePool(database.url)
    const blobs = useFolder()
    const lost = await openJournalNode(pool, await openBlobs({ kind: 'folder', path: blobs }), true)
    await lost.call(3)
    await lost.fold()
    await lost.call(2)
    await lost.loseDisk()
    const { node, die } = await live()
    const forget = (id: string, ...args: string[]) => cluster('forget', id, '--json', ...args)
    const unknown = await forget('x')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining(lost.node)])
    expect(await forget(node)).toMatchObject({
      code: 1,
      stderr: `Node ${node} lives. Stop it first, and wait ten seconds.\n`,
    })
    await die()
    expect((await forget(node)).stderr).toContain('Run the command with another folder.')
    const env = { PERIPLUS_STORE: database.url, PERIPLUS_BLOBS: blobs }
    const forgetLost = (...args: string[]) =>
      periplus(['cluster', 'forget', lost.node, '--data', folder.path, ...args], { env })
    const refused = await forgetLost()
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /is not forgotten.*\n.*may be lost, and not billed.*\nOf its calls from 2\S+ on, 3 .*\n.*--lost/,
      ),
    ])
    expect(await sumUnits(pool)).toBe(3)
    const { stdout } = await forgetLost('--lost', '--actor', 'Ada')
    expect(stdout).toMatch(
      /is forgotten\. Calls counted now: 2\.\nIt has not left .*\nOf its calls from 2\S+ on, 3 stay billed/,
    )
    const audit = await periplus(['audit', 'list', '--data', folder.path, '--action', 'node.forget', '--json'], { env })
    expect(audit.json()).toMatchObject({
      audit: [{ actor_id: 'Ada', target: lost.node, after: { calls: 2, lost: true, unproved_calls: 3 } }],
    })
    expect(await sumUnits(pool)).toBe(5)
    expect((await cluster('status')).stdout).not.toContain(lost.node)
    const verified = await periplus(['verify', '--data', folder.path], { env })
    expect([verified.code, verified.stdout]).toEqual([0, 'No problems found.\n'])
  })

  test('cache moves the shared limits', async () => {
    const wrong = await cluster('cache', 'http://x')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('must look like valkey://')])
    expect((await cluster('cache', 'valkeys://ada:secret@cache.internal', '--json')).json()).toEqual({
      cache: 'cache.internal:6379',
    })
    expect((await cluster('status')).stdout).toContain('shared in cache.internal:6379')
    const env = { PERIPLUS_STORE: database.url }
    const audit = await periplus(['audit', 'list', '--data', folder.path, '--action', 'cluster.move_cache'], { env })
    expect(audit.stdout).toContain('cache: postgres -> cache.internal:6379')
  })

  test('needs a database', async () => {
    const files = scratch()
    onTestFinished(files.remove)
    const env = { PERIPLUS_STORE: 'folder' }
    makeFolder(configFor(files.path, { store: 'folder' }))
    const refused = await periplus(['cluster', 'status', '--data', files.path], { env })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('which one process serves')])
  })
})
