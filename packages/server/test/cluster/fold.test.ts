/** `periplus cluster fold DIR`: the journal of a dead node is counted once, and proved. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBlobs } from '../../src/store/blobs/open.ts'
import { createPostgresNodeAdmin } from '../../src/store/postgres/node-admin.ts'
import { encodeBatches } from '../../src/usage/batch-writer.ts'
import { record, someTimeMs } from '../../src/usage/records.fixture.ts'
import { batchId } from '../../src/usage/stored-turns.ts'
import { periplus } from '../cli.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { openJournalNode, sumUnits, useFolder, usePool } from '../journal-node.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, makeFolder, scratch } from '../world.ts'

describeWith(['pg'], 'periplus cluster fold', () => {
  test('counts what a dead node has not folded, once, and refuses what is not its journal', async () => {
    const store = await useDatabase(await postgresTemplate())
    const pool = usePool(store)
    const survivor = scratch()
    onTestFinished(survivor.remove)
    makeFolder(configFor(survivor.path, { store }))
    const [dir, blobs] = [useFolder(), useFolder()]
    // The calls of this test are old.
    const env = { PERIPLUS_STORE: store, PERIPLUS_BLOBS: blobs, PERIPLUS_REQUESTS_KEEP_DAYS: '100000' }
    const run = (...args: string[]) => periplus([...args, '--data', survivor.path], { env })
    const fold = (folder = dir, ...args: string[]) => run('cluster', 'fold', folder, ...args)
    const refusal = async () => {
      const { code, stderr } = await fold()
      expect(code).toBe(1)
      return stderr
    }

    expect(await refusal()).toContain('is not the data folder of a node')
    await run('cluster', 'status')
    const database = await createPostgresNodeAdmin(pool).database()
    const identify = (identity: object) => writeFileSync(join(dir, 'node.json'), JSON.stringify(identity))
    identify({ folderId: 'a', database: 'b' })
    expect(await refusal()).toContain('belongs to another database')
    identify({ folderId: 'a', database })
    expect(await refusal()).toContain('has no journal')

    mkdirSync(join(dir, 'journal'))
    const dead = await openJournalNode(
      pool,
      await openBlobs({ kind: 'folder', path: blobs }),
      true,
      join(dir, 'journal'),
    )
    const { node } = dead
    await dead.call(3)
    await dead.fold()
    await dead.call(2)
    await dead.stop()
    // Killed after a batch was stored, and before it was written.
    const batch = encodeBatches([record({ timeMs: someTimeMs })])
    await dead.journals.batches.add(batchId(batch), batch)
    expect(await refusal()).toContain('is not that of node a')
    writeFileSync(join(dir, 'journal', '.folder'), 'a\n')
    expect(await refusal()).toContain('does not know node a')

    writeFileSync(join(dir, 'journal', '.folder'), `${node}\n`)
    const instance = crypto.randomUUID()
    identify({ folderId: node, database, instance })
    const register = `INSERT INTO cluster_nodes (node, instance, name, role, release, level, mode, blind)
      VALUES ($1, $2, 'machine', 'serve', '1.0.0', 1, 'in', true)`
    await pool.run(register, [node, crypto.randomUUID()])
    expect(await refusal()).toContain('is a copy or an older state')
    await pool.run('UPDATE cluster_nodes SET instance = $1', [instance])

    // A 'cluster forget' that was killed leaves all for a folder that is found, and forgets no loss.
    const nodes = createPostgresNodeAdmin(pool)
    await nodes.replace(node)
    await nodes.replace(node)
    expect(await nodes.find(node)).toMatchObject({ instance, hasLeft: false })
    const folded = await fold(dir, '--actor', 'Ada')
    expect([folded.code, folded.stdout]).toEqual([0, expect.stringContaining('Calls counted now: 3.')])
    expect(await sumUnits(pool)).toBe(6)
    const left = await pool.query('SELECT mode, blind, replaced, instance::text FROM cluster_nodes')
    expect(left).toEqual([{ mode: 'left', blind: false, replaced: null, instance }])
    const list = ['requests', 'list', '--since', '2026-01-01', '--json']
    expect((await run(...list)).json()).toMatchObject({ requests: { length: 6 } })
    const again = await fold()
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('has been folded already.')])
    const audit = await run('audit', 'list', '--action', 'node.fold', '--json')
    expect(audit.json()).toMatchObject({ audit: [{ actor_id: 'Ada', target: node, after: { calls: 3 } }] })

    // The folder is not needed any more: neither for a proof, nor to forget the node.
    rmSync(dir, { recursive: true })
    expect((await run('verify')).stdout).toBe('No problems found.\n')
    expect((await run('cluster', 'forget', node, '--json')).json()).toMatchObject({ lost: false, proved: true })
    expect(await sumUnits(pool)).toBe(6)
  })
})
