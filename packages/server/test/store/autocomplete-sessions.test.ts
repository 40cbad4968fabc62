/** Sessions of nodes that share limits are priced as those of one process. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestSession, hashLetters } from '../../src/access/session-name.ts'
import { OpenSessions } from '../../src/access/sessions.ts'
import type { SessionUse } from '../../src/domain/autocomplete-session.ts'
import { createRandom } from '../../src/kit/random.ts'
import { openPostgresSessions, type StoredSessions } from '../../src/store/postgres/autocomplete-sessions.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { createDatabase, describeWith } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'

describeWith(['pg'], 'sessions in PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pool: PostgresPool
  let nodes: readonly StoredSessions[]
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    pool = new PostgresPool({ url: database.url, connections: 4, timeouts: workTimeouts })
    nodes = [openPostgresSessions(pool), openPostgresSessions(pool)]
  })
  afterAll(async () => {
    await pool?.close()
    await database?.drop()
  })

  const typed = (name: string, text: string, offered: readonly bigint[] = [1n, 2n]): SessionUse => {
    const session = digestSession('key_1', name)
    return { kind: 'typed', session, letters: hashLetters(session, text), offered }
  }
  const chosen = (name: string, id: bigint): SessionUse => ({
    kind: 'chosen',
    session: digestSession('key_1', name),
    id,
  })

  test('cost what those in memory cost, whichever node answers', async () => {
    const model = new OpenSessions()
    const next = createRandom(150)
    const random = (below: number) => Math.floor(next() * below)
    for (let i = 0; i < 300; i++) {
      const name = `session ${random(4)}`
      const text = ['h', 'ha', 'hal', 'pa', 'ro', 'rome'][random(6)]!
      const use = random(12) === 0 ? chosen(name, BigInt(1 + random(3))) : typed(name, text)
      const isUndone = random(9) === 0
      const [expected, found] = [model.use(use, 0)!, (await nodes[i % 2]!.use(use))!]
      expect([i, found.units]).toEqual([i, expected.units])
      if (isUndone && expected.units === 1) {
        expected.undo()
        await (found.undo() as unknown)
      }
    }
  })

  test('cost one unit if both nodes get the first calls at the same time', async () => {
    const prices = await Promise.all(Array.from({ length: 20 }, (_, i) => nodes[i % 2]!.use(typed('first', 'ha'))))
    expect(prices.reduce((sum, price) => sum + price!.units, 0)).toBe(1)
  })

  test('are over after a pause of three minutes', async () => {
    expect((await nodes[0]!.use(typed('pause', 'ha')))!.units).toBe(1)
    await pool.run("UPDATE autocomplete_sessions SET last_at = last_at - interval '181 seconds'")
    expect((await nodes[1]!.use(chosen('pause', 1n)))!.units).toBe(1)
    expect((await nodes[1]!.use(typed('pause', 'ha')))!.units).toBe(1)
    await pool.run("UPDATE autocomplete_sessions SET opened_at = opened_at - interval '601 seconds'")
    expect((await nodes[0]!.use(typed('pause', 'ha')))!.units).toBe(1)
  })
})
