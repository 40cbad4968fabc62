import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { composeImport } from '../../src/compose/import.ts'
import { configFor, importRows, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

const place = (name: string) => ({ source: 's', source_id: name, name, lat: 1, lon: 1 })

test('new and known keys in any order get each their id, and no id is lost or given twice (R-20)', async () => {
  const config = configFor(join(folder.path, 'ids'))
  const { writer, close } = await composeImport(config, { dryRun: false })
  const key = (sourceId: string, id?: bigint) => ({ source: 's', sourceId, ...(id !== undefined && { id }) })
  const assign = async (...keys: ReturnType<typeof key>[]) =>
    (await writer.assignIds('review', keys)).map(one => ('id' in one ? one.id : one.conflict))
  expect(await assign(key('a'), key('b'), key('a'), key('c'))).toEqual([1n, 2n, 1n, 3n])
  expect(await assign(key('b'), key('d'), key('x', 5n), key('e'), key('c'), key('f'))).toEqual([2n, 4n, 5n, 6n, 3n, 7n])
  expect(await assign(key('a'), key('b', 9n), key('g'))).toEqual([1n, 'id_changed', 8n])
  await close()
})

test('a place that was found is not found when it has gone, and leads on when it was merged', async () => {
  const config = configFor(join(folder.path, 'places'))
  await importRows(config, 'location', [place('a'), place('b')])
  const { writer, close } = await composeImport(config, { dryRun: false })
  const refs = ['a', 'b'].map(sourceId => ({ source: 's', sourceId }))
  const [a, b] = await writer.findLocations(refs)
  expect([a, b]).toEqual([1n, 2n])
  await writer.writeLocations([{ op: 'merge', id: a!, into: b! }])
  expect(await writer.findLocations([...refs, { id: a! }])).toEqual([b, b, b])
  await writer.writeLocations([{ op: 'delete', id: b! }])
  expect((await writer.findLocations(refs))[1]).toBeUndefined()
  await close()
})
