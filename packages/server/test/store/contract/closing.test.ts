import { expect, test } from 'vitest'
import { describeEngines, openAgain } from './engines.ts'

describeEngines('closing', ({ open }) => {
  test('a closed engine opens nothing', async () => {
    const engine = await open()
    await engine.prepare()
    await engine.close()
    const uses = [
      () => engine.prepare(),
      () => engine.openStoreCopy(),
      () => engine.openWriter({ dryRun: false }),
      () => engine.openFeedSource(),
      () => engine.openFeedDownloads(),
      async () => engine.keys,
      async () => engine.locations,
    ]
    for (const use of uses) await expect(use()).rejects.toThrow('The engine is closed.')
    await engine.close()
  })
  test('does not wait for a lock that is held', async () => {
    const engine = await open()
    const lock = await engine.locks.hold('feeds', 'It is held.')
    await engine.close()
    await lock.release()
    const again = openAgain(engine)
    await (await again.locks.hold('feeds', 'It is held.')).release()
  })
})
