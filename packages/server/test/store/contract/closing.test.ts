import { describe, expect, test } from 'vitest'
import { engines } from './engines.ts'

describe.each(engines)('closing $name', ({ open }) => {
  test('a closed engine opens nothing', async () => {
    const engine = open()
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
})
