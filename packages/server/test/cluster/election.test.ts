/** The election of the worker of a database. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { startElection } from '../../src/compose/election.ts'
import type { ProcessRole } from '../../src/domain/processes.ts'
import { NewerSchema, StoreFailure } from '../../src/domain/store-errors.ts'
import { createLog } from '../../src/kit/log.ts'
import { openCandidate } from '../../src/store/postgres/candidate.ts'
import { createDatabase, describeWith, execute, useDatabase } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { postgresTemplate } from '../postgres-template.ts'

let url: string
let drop: () => Promise<void>

/** Opens a candidate, which the end of the test closes. */
async function join(role: ProcessRole, name: string, silenceMs?: number) {
  const options = { url, ...(silenceMs !== undefined && { silenceMs }) }
  const candidate = await openCandidate(options, randomUUID(), { role, name, release: '1.0.0' })
  onTestFinished(() => candidate.close())
  return candidate
}

const terminate = (name: string) =>
  execute(url, `SELECT pg_terminate_backend(pid) FROM cluster_processes WHERE name = '${name}'`)

describeWith(['pg'], 'the election of the worker', () => {
  beforeAll(async () => {
    const created = await createDatabase(await postgresTemplate())
    url = created.url
    drop = created.drop
  }, inject('limitMs'))
  afterAll(() => drop())

  test('one of two processes is elected; the other follows when its connection ends', async () => {
    const [a, b] = [await join('work', 'a'), await join('work', 'b')]
    expect(await a.check()).toEqual({ state: 'elected' })
    expect(await b.check()).toEqual({ state: 'waiting', worker: { role: 'work', name: 'a' } })
    expect(await a.check()).toEqual({ state: 'elected' })
    await terminate('a')
    await expect(a.check()).rejects.toBeInstanceOf(StoreFailure)
    await eventually(async () => expect(await b.check()).toEqual({ state: 'elected' }))
  })

  test('a serving process works only while no process of the role work exists', async () => {
    const node = await join('serve', 'node')
    expect(await node.check()).toEqual({ state: 'elected' })
    const worker = await join('work', 'worker')
    expect(await worker.check()).toMatchObject({ state: 'waiting', worker: { name: 'node' } })
    expect(await node.check()).toEqual({ state: 'superseded' })
    await node.resign()
    expect(await node.check()).toEqual({ state: 'waiting', worker: undefined })
    expect(await worker.check()).toEqual({ state: 'elected' })
    await terminate('worker')
    await eventually(async () => expect(await node.check()).toEqual({ state: 'elected' }))
  })

  test('a process that is stopped or cut off loses its term, and its row goes with the next process', async () => {
    const stopped = await join('work', 'stopped', 200)
    expect(await stopped.check()).toEqual({ state: 'elected' })
    const other = await join('work', 'other')
    await eventually(async () => expect(await other.check()).toEqual({ state: 'elected' }))
    await expect(stopped.check()).rejects.toBeInstanceOf(StoreFailure)
    expect(await (await join('work', 'third')).check()).toMatchObject({ worker: { name: 'other' } })
  })

  test('a serving process whose release is shut out ends its work, and is asked to end (R-134)', async () => {
    const store = await useDatabase(await postgresTemplate())
    const { promise: refused, resolve: onRefused } = Promise.withResolvers<NewerSchema>()
    let isWorking = false
    const election = startElection({
      join: () => openCandidate({ url: store }, randomUUID(), { role: 'serve', name: 'node', release: '1.0.0' }),
      start: () => {
        isWorking = true
        return {
          stop: async () => {
            isWorking = false
          },
        }
      },
      onRefused,
      log: createLog('silent').log,
    })
    onTestFinished(() => election.stop())
    await eventually(() => expect(election.state).toBe('elected'))
    await execute(store, 'UPDATE schema SET version = version + 1, oldest = version + 1')
    // As after an outage: a process that stays connected keeps what it needs.
    await execute(store, 'SELECT pg_terminate_backend(pid) FROM cluster_processes')
    expect(await refused).toBeInstanceOf(NewerSchema)
    expect(isWorking).toBe(false)
  })
})
