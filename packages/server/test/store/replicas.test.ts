import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { composeServer } from '../../src/compose/server.ts'
import type { Config } from '../../src/config/load.ts'
import { createKnownChanges } from '../../src/store/postgres/known-changes.ts'
import { PostgresPool, servingTimeouts } from '../../src/store/postgres/pool.ts'
import { createReadChoice, ReadServers } from '../../src/store/postgres/read-servers.ts'
import { ChangeHistory, createLineCheck } from '../../src/store/postgres/replica-judge.ts'
import { describeWith, execute, type RunningEngine, startPostgres, startReplica } from '../engines.ts'
import { send } from '../http-client.ts'
import { configFor, importRows, makeKey, scratch } from '../world.ts'

const place = (id: number, name = `Place ${id}`) => ({ id: BigInt(id), name, latitude: 1, longitude: 1, country: 'ES' })

let primary: RunningEngine
let replica: RunningEngine
let folder: ReturnType<typeof scratch>
let config: Config

/** Opens the servers as a thread does. */
function openServers() {
  const [first, second] = [primary, replica].map(
    ({ url }) => new PostgresPool({ url, connections: 2, timeouts: { ...servingTimeouts, connectMs: 10_000 } }),
  )
  onTestFinished(async () => void (await Promise.all([first!.close(), second!.close()])))
  const servers = new ReadServers({ primary: first!, replicas: [second!], choice: createReadChoice() })
  const moves: string[] = []
  const judgeNow = async () => {
    const sql =
      'SELECT id::text AS database, (SELECT max(seq) FROM changes) AS seq, version AS schema FROM cluster, schema'
    const [found] = await first!.query<{ database: string; schema: number; seq: bigint }>(sql)
    return found!
  }
  const check = async (more = {}) => {
    const judge = { ...(await judgeNow()), isKnown: createLineCheck(first!), ...more }
    const states = await servers.check(judge, text => moves.push(text))
    return states.flatMap(({ problem }) => problem ?? [])
  }
  const whereAmI = async () => {
    const [row] = await servers.query<{ port: number }>('SELECT inet_server_port() AS port')
    return row!.port === replica.port ? 'replica' : 'primary'
  }
  return { servers, moves, check, whereAmI }
}

/** Waits until the replica has the newest change. */
const caughtUp = (check: () => Promise<readonly string[]>) => expect.poll(check, { timeout: 20_000 }).toEqual([])

describeWith(['pg'], 'reads from a replica (R-138)', () => {
  beforeAll(async () => {
    primary = await startPostgres()
    folder = scratch()
    config = configFor(folder.path, { store: primary.url })
    await importRows(config, 'location', [place(1), place(2), place(3)])
    replica = await startReplica(primary)
  }, inject('limitMs'))
  afterAll(async () => {
    folder?.remove()
    await replica?.stop()
    await primary?.stop()
  })
  beforeEach(() => execute(replica.url, 'SELECT pg_wal_replay_resume()'))

  test('begin when it has what the primary has, leave it when it is behind, and start over after each change', async () => {
    const { servers, moves, check, whereAmI } = openServers()
    const changes = createKnownChanges(servers)
    expect(await whereAmI()).toBe('primary')
    await caughtUp(check)
    expect(await whereAmI()).toBe('replica')
    const seq = await changes.lastSeq()
    expect(await changes.after(seq, 10)).toEqual([])

    await execute(replica.url, 'SELECT pg_wal_replay_pause()')
    await importRows(config, 'location', [place(1, 'Renamed')])
    expect(await changes.after(seq, 10)).toEqual([])
    expect(await check()).toEqual([expect.stringMatching(/is more than 5 s behind the primary\.$/)])
    expect(await whereAmI()).toBe('primary')
    expect(await changes.after(seq, 10)).toBeUndefined()

    await execute(replica.url, 'SELECT pg_wal_replay_resume()')
    const known = await changes.lastSeq()
    await caughtUp(check)
    expect(await whereAmI()).toBe('replica')
    expect(await changes.after(known, 10)).toBeUndefined()
    expect(await changes.after(await changes.lastSeq(), 10)).toEqual([])
    expect(moves).toEqual([
      expect.stringMatching(/^Records are read from Database postgres/),
      expect.stringMatching(/behind the primary\. Records are read from the primary\.$/),
      expect.stringMatching(/^Records are read from Database postgres/),
    ])
  })

  test('are not made from a replica of another database or schema', async () => {
    const { check, whereAmI } = openServers()
    expect(await check({ database: 'another' })).toEqual([expect.stringContaining('of another database')])
    expect(await check({ schema: 1000 })).toEqual([expect.stringContaining('does not have the schema')])
    expect(await whereAmI()).toBe('primary')
  })

  test('are not made from a replica whose newest change the primary has lost', async () => {
    const { check, whereAmI } = openServers()
    await caughtUp(check)
    await execute(replica.url, 'SELECT pg_wal_replay_pause()')
    const refused = [expect.stringContaining('has a change that the primary does not have')]
    const newest = 'WHERE seq = (SELECT max(seq) FROM changes)'
    await execute(primary.url, `UPDATE changes SET at_ms = at_ms + 1 ${newest}`)
    expect(await check()).toEqual(refused)
    expect(await whereAmI()).toBe('primary')
    await execute(primary.url, `UPDATE changes SET at_ms = at_ms - 1, seq = -seq ${newest}`)
    expect(await check()).toEqual(refused)
    await execute(primary.url, 'UPDATE changes SET seq = -seq WHERE seq < 0')
    expect(await check()).toEqual([])
  })

  test('notice another history: a last line that the server does not have', async () => {
    const { servers } = openServers()
    const changes = createKnownChanges(servers)
    const seq = await changes.lastSeq()
    await execute(primary.url, `UPDATE changes SET at_ms = at_ms + 1 WHERE seq = ${seq}`)
    expect(await changes.after(seq, 10)).toBeUndefined()
    const again = await changes.lastSeq()
    expect(await changes.after(again, 10)).toEqual([])
    // Lines after the last one are read once, and known afterwards.
    await importRows(config, 'location', [place(2, 'Renamed')])
    const [line] = (await changes.after(again, 10))!
    expect(await changes.after(line!.seq, 10)).toEqual([])
  })

  test('serve calls: changes appear, and calls are answered without the replica', async () => {
    const { secret } = await makeKey(config)
    const running = await composeServer(
      { ...config, server: { ...config.server, adminPort: 0 }, storeReplicas: [replica.url] },
      { demo: false },
    )
    onTestFinished(() => running.drain())
    const url = new URL(await running.listen()).origin
    const read = async () => (await send(url, '/locations/3', { headers: { 'X-API-Key': secret } })).text
    expect(await read()).toContain('Place 3')
    await importRows(config, 'location', [place(3, 'Renamed')])
    await expect.poll(read, { timeout: 20_000 }).toContain('"Renamed"')
    const metrics = (await send(running.adminUrl!, '/metrics')).text
    expect(metrics).toContain(`periplus_replica_lag_seconds{replica="127.0.0.1:${replica.port}"} `)
    process.kill(replica.pid, 'SIGQUIT')
    const notes = async () => (await send(url, '/readyz')).text
    await expect.poll(notes, { timeout: 20_000 }).toMatch(new RegExp(`${replica.port} (cannot be reached|is starting)`))
    await importRows(config, 'location', [place(3, 'Renamed again')])
    await expect.poll(read, { timeout: 20_000 }).toContain('"Renamed again"')
    replica = await replica.restart()
    await expect.poll(notes, { timeout: 20_000 }).not.toContain(`${replica.port}`)
  })

  test('continue on the primary in the same call when it ends, and while it is promoted', async () => {
    const { servers, check, whereAmI } = openServers()
    await caughtUp(check)
    expect(await whereAmI()).toBe('replica')
    process.kill(replica.pid, 'SIGQUIT')
    const { generation } = servers
    // The server ends shortly after the signal.
    await expect.poll(whereAmI, { timeout: 20_000 }).toBe('primary')
    expect(servers.generation).toBe(generation + 1)
    expect(await check()).toEqual([expect.stringMatching(/cannot be reached|is starting or shutting down/)])
    replica = await replica.restart()
    await caughtUp(check)
    expect(await whereAmI()).toBe('replica')
    await execute(replica.url, 'SELECT pg_promote()')
    expect(await check()).toEqual([expect.stringContaining('is not a replica: it was promoted')])
    expect(await whereAmI()).toBe('primary')
  })
})

test('a replica may miss what the primary got within five seconds, but not what it had at first', () => {
  const history = new ChangeHistory()
  expect(history.before(0)).toBe(0n)
  for (const [atMs, seq] of [
    [0, 7n],
    [1000, 9n],
    [6000, 12n],
    [7000, 12n],
  ] as const)
    history.add(seq, atMs)
  expect([1000, 5500, 6500, 11_000].map(nowMs => history.before(nowMs))).toEqual([7n, 7n, 9n, 12n])
  // It is behind since the primary has had the first change that it lacks.
  expect([7n, 8n, 9n, 12n].map(seq => history.lagMs(seq, 8000))).toEqual([7000, 7000, 2000, 0])
  history.add(13n, 7_300_000)
  expect([history.lagMs(7n, 7_300_000), history.before(7_300_000)]).toEqual([7_294_000, 12n])
})
