import { expect, it } from 'vitest'
import { StoreFailure } from '../domain/store-errors.ts'
import type { BatchStore, JournalFailure } from '../domain/usage.ts'
import { record } from './records.fixture.ts'
import { batchId, StoredTurns } from './stored-turns.ts'

/** Opens turns over a store whose answers the test gives, and a journal in memory. */
function openTurns() {
  const stored: { id: string; answer: (error?: Error) => void }[] = []
  const withdrawn: string[] = []
  const written: string[] = []
  const state: { failure?: JournalFailure; isStoreDown?: boolean } = {}
  const store: BatchStore = {
    add: id =>
      new Promise((resolve, reject) => {
        stored.push({ id, answer: error => (error ? reject(error) : resolve()) })
      }),
    withdraw: async ids => {
      if (state.isStoreDown) throw new StoreFailure('unavailable', 'PostgreSQL')
      withdrawn.push(...ids)
    },
  }
  const write = (batch: Buffer) => {
    if (!state.failure) written.push(batchId(batch))
    return state.failure
  }
  return { stored, withdrawn, written, state, turns: new StoredTurns(queueMicrotask, write, store) }
}

const nextTurn = () => new Promise(setImmediate)

it('writes a batch once it is stored, and stores the calls of all turns in between together', async () => {
  const { stored, written, turns } = openTurns()
  const first = turns.append(record())
  await nextTurn()
  const later = [turns.append(record()), turns.append(record())]
  await nextTurn()
  later.push(turns.append(record()))
  expect(stored).toHaveLength(1)
  expect(written).toEqual([])
  stored[0]!.answer()
  expect(await first).toBe('written')
  await nextTurn()
  expect(stored).toHaveLength(2)
  stored[1]!.answer()
  expect(await Promise.all(later)).toEqual(['written', 'written', 'written'])
  expect(written).toEqual(stored.map(({ id }) => id))
})

it('refuses calls whose batch is not stored, and removes it from the store', async () => {
  const { stored, withdrawn, written, turns } = openTurns()
  const refused = turns.append(record())
  await nextTurn()
  stored[0]!.answer(new StoreFailure('unavailable', 'PostgreSQL'))
  expect(await refused).toMatchObject({ code: 'database' })
  expect(withdrawn).toEqual([stored[0]!.id])
  const served = turns.append(record())
  await nextTurn()
  stored[1]!.answer()
  expect(await served).toBe('written')
  const closed = turns.append(record())
  const closing = turns.close()
  stored[2]!.answer()
  await closing
  expect(await closed).toBe('written')
  expect(written).toEqual([stored[1]!.id, stored[2]!.id])
  expect(withdrawn).toHaveLength(1)
})

it('removes what a full disk has refused, at the latest when it closes', async () => {
  const { stored, withdrawn, written, state, turns } = openTurns()
  state.failure = { code: 'ENOSPC', reason: 'full' }
  const refused = turns.append(record())
  await nextTurn()
  stored[0]!.answer()
  state.isStoreDown = true
  expect(await refused).toMatchObject({ code: 'ENOSPC' })
  await nextTurn()
  expect(withdrawn).toEqual([])
  state.isStoreDown = false
  await turns.close()
  expect(written).toEqual([])
  expect(withdrawn).toEqual([stored[0]!.id])
})
