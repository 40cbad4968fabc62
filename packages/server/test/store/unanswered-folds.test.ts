/** A database that stops to answer, as a suspended one does, ends a fold instead of holding it. */
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresPool, shortTimeouts } from '../../src/store/postgres/pool.ts'
import { FoldRounds } from '../../src/usage/fold-rounds.ts'
import { journalIn } from '../../src/usage/journal-reader.ts'
import { someTimeMs } from '../../src/usage/records.fixture.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { openJournalNode, sumUnits, useBlobs, usePool } from '../journal-node.ts'
import { postgresTemplate } from '../postgres-template.ts'

/** Starts a proxy in front of a server. `hold` stops the open connections, and returns a function that ends them. */
async function startHoldingProxy(target: number) {
  const clients = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    clients.add(client)
    const close = () => {
      clients.delete(client)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', close).on('close', close)
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const client of clients) client.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  const address = server.address()
  const hold = () => {
    const held = [...clients]
    for (const client of held) client.unpipe().pause()
    return () => {
      for (const client of held) client.destroy()
    }
  }
  return { port: typeof address === 'object' && address !== null ? address.port : 0, hold }
}

describeWith(['pg'], 'a fold on request', () => {
  test('fails while the database does not answer, and counts everything once afterwards', async () => {
    const store = await useDatabase(await postgresTemplate())
    const { call, ledger, folder } = await openJournalNode(usePool(store), await useBlobs())
    const direct = usePool(store)
    const url = new URL(store)
    const proxy = await startHoldingProxy(Number(url.port))
    url.port = String(proxy.port)
    const slow = new PostgresPool({ url: url.href, connections: 1, timeouts: { ...shortTimeouts, statementMs: 500 } })
    onTestFinished(() => slow.close())
    const position = async () => {
      await slow.query('SELECT 1')
      return ledger.position()
    }
    const rounds = new FoldRounds({
      journal: journalIn(folder),
      ledger: { ...ledger, position },
      nowMs: () => someTimeMs,
    })
    await call(3)
    await expect.poll(() => rounds.toEnd()).toBeDefined()
    await call(2)
    const release = proxy.hold()
    await expect(rounds.toEnd()).rejects.toThrow('did not answer in time')
    release()
    await expect.poll(() => rounds.toEnd(), { timeout: 20_000 }).toBeDefined()
    expect(await sumUnits(direct)).toBe(5)
  })
})
