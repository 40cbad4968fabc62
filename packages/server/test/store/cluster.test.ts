import { cpSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeServer } from '../../src/compose/server.ts'
import { periplus } from '../cli.ts'
import { createDatabase, describeWith } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, makeFolder, scratch } from '../world.ts'

const joining = { name: 'machine', release: '1.0.0', cache: 'postgres' }

describeWith(['pg'], 'a node that joins those of its database (R-131)', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
  })
  afterAll(() => database?.drop())

  const useFolder = (): string => {
    const folder = scratch()
    onTestFinished(folder.remove)
    return folder.path
  }
  const configOf = (data: string) => configFor(data, { store: database.url })
  const join = async (data: string, more: Partial<typeof joining> = {}) => {
    const engine = openConfiguredEngine(configOf(data), { create: true })
    const cluster = await engine.joinCluster({ ...joining, ...more }).catch(async error => {
      await engine.close()
      throw error
    })
    const close = async () => {
      await cluster.close()
      await engine.close()
    }
    return { ...cluster, close }
  }

  test('is refused as a copy, while the other runs and after it has run again, and with another cache', async () => {
    const [folder, copy] = [useFolder(), useFolder()]
    const first = await join(folder)
    cpSync(folder, copy, { recursive: true })
    const beating = setInterval(() => void first.membership.beat({ mode: 'in', stepUs: 0 }).catch(() => {}), 100)
    await expect(join(copy)).rejects.toThrow(/^Node .* is running already: the folder .* is a copy of its folder\./)
    clearInterval(beating)
    await expect(join(folder, { cache: 'cache.internal:6379' })).rejects.toThrow(
      /share limits in postgres, and this node/,
    )
    const single = composeServer(configOf(useFolderWithPepper(folder)), { demo: false })
    await expect(single).rejects.toThrow('set limits.shared on all nodes')
    await first.membership.beat({ mode: 'left', stepUs: 0 })
    await first.close()
    const second = await join(folder)
    await second.membership.beat({ mode: 'left', stepUs: 0 })
    await second.close()
    await expect(join(copy)).rejects.toThrow(/is a copy or an older state of the folder of node/)
  })

  const useFolderWithPepper = (of: string): string => {
    const folder = useFolder()
    cpSync(`${of}/pepper`, `${folder}/pepper`)
    makeFolder(configOf(folder))
    return folder
  }

  test('needs the pepper of the database for an empty folder', async () => {
    const env = { PERIPLUS_STORE: database.url }
    const serve = (more: Record<string, string>) =>
      periplus(['serve', '--port', '0', '--data', `${useFolder()}/new`], { env: { ...env, ...more } })
    const without = await serve({})
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('PERIPLUS_PEPPER_FILE to a copy')])
    const wrong = await serve({ PERIPLUS_PEPPER_FILE: '/nowhere/pepper' })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/names \/nowhere\/pepper, which is missing/)])
  })
})
