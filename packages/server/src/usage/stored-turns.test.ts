import { expect, it } from 'vitest'
import { StoreFailure } from '../domain/store-errors.ts'
import type { BatchStore } from '../domain/usage.ts'
import { record } from './records.fixture.ts'
import { batchId, StoredTurns } from './stored-turns.ts'

/** Opens turns over a store whose answers the test gives, and a journal in memory. */
function openTurns() {
  const stored: { id: string; withdrawn: readonly string[]; answer: (error?: Error) => void }[] = []
  const written: string[] = []
  const store: BatchStore = {
    add: (id, _, withdrawn) =>
      new Promise((resolve, reject) => {
        stored.push({ id, withdrawn, answer: error => (error ? reject(error) : resolve()) })
      }),
  }
  const write = (batch: Buffer) => void written.push(batchId(batch))
  return { stored, written, turns: new StoredTurns(queueMicrotask, write as () => undefined, store) }
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

it('refuses calls whose batch is not stored, and withdraws it with the next one', async () => {
  const { stored, written, turns } = openTurns()
  const refused = turns.append(record())
  await nextTurn()
  stored[0]!.answer(new StoreFailure('unavailable', 'PostgreSQL'))
  expect(await refused).toMatchObject({ code: 'database' })
  const served = turns.append(record())
  await nextTurn()
  expect(stored[1]!.withdrawn).toEqual([stored[0]!.id])
  stored[1]!.answer()
  expect(await served).toBe('written')
  const closed = turns.append(record())
  const closing = turns.close()
  expect(stored[2]!.withdrawn).toEqual([])
  stored[2]!.answer()
  await closing
  expect(await closed).toBe('written')
  expect(written).toEqual([stored[1]!.id, stored[2]!.id])
})
