import { expect, test } from 'vitest'
import { LockHeld } from '../../../src/domain/store-errors.ts'
import { describeEngines, openAgain } from './engines.ts'

describeEngines('locks', ({ open }) => {
  test('are held by one process at a time, until it releases them', async () => {
    const engine = await open()
    const other = openAgain(engine)
    expect(await other.locks.isHeld('import')).toBe(false)
    const lock = await engine.locks.hold('import', 'An import is running.')
    expect(await other.locks.isHeld('import')).toBe(true)
    await expect(other.locks.hold('import', 'An import is running.')).rejects.toThrow(
      new LockHeld('An import is running.'),
    )
    await lock.release()
    expect(await other.locks.isHeld('import')).toBe(false)
    await (await other.locks.hold('import', 'An import is running.')).release()
  })

  test('are independent of each other', async () => {
    const engine = await open()
    const other = openAgain(engine)
    const lock = await engine.locks.hold('import', '')
    expect(await other.locks.isHeld('feeds')).toBe(false)
    await (await other.locks.hold('feeds', '')).release()
    await lock.release()
  })

  test('are shared by no two callers of one process', async () => {
    const { locks } = await open()
    const lock = await locks.hold('feeds', 'A build is running.')
    await expect(locks.hold('feeds', 'A build is running.')).rejects.toThrow(LockHeld)
    await lock.release()
  })
})
