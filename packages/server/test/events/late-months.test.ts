/** The event of a month that a dead node has held open is sent once, when the month closes. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { addDatedEvents } from '../../src/compose/dated-events.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { execute, query } from '../databases.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, makeKey, scratch } from '../world.ts'

describeWith(['pg'], 'months that a dead node holds open', () => {
  test('close with an event each when the node is forgotten, and not again', async () => {
    const store = await useDatabase(await postgresTemplate())
    const folder = scratch()
    onTestFinished(folder.remove)
    const config = configFor(folder.path, { store })
    await makeKey(config)
    const engine = openConfiguredEngine(config, { create: false })
    onTestFinished(() => engine.close())
    const monthsAt = async (time: string) => {
      await addDatedEvents(engine, [], Date.parse(time))
      const found = await query<{ data: string }>(
        store,
        "SELECT data FROM outbox WHERE type = 'statement.closed' ORDER BY seq",
      )
      return found.map(({ data }) => JSON.parse(data).month)
    }
    await execute(
      store,
      `INSERT INTO cluster_nodes (node, instance, name, role, release, level, mode, folded_at)
       VALUES ('${randomUUID()}', '${randomUUID()}', 'machine', 'serve', '1.0.0', 1, 'in', '2100-11-25T00:00:00Z')`,
    )
    expect(await monthsAt('2100-11-26T00:00:00Z')).toEqual([])
    expect(await monthsAt('2100-12-02T00:00:00Z')).toEqual([])
    expect(await monthsAt('2101-01-20T00:00:00Z')).toEqual([])
    await execute(store, 'DELETE FROM cluster_nodes')
    expect(await monthsAt('2101-01-20T01:00:00Z')).toEqual(['2100-11', '2100-12'])
    // Old events are removed, and their keys with them.
    await execute(store, 'TRUNCATE outbox CASCADE')
    expect(await monthsAt('2101-01-20T02:00:00Z')).toEqual([])
    expect(await monthsAt('2101-02-01T01:00:00Z')).toEqual(['2101-01'])
  })
})
