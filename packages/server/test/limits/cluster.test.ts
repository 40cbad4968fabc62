/** Two processes that serve one database and share limits: kills of a node and of the cache. */
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { periplus, type Served, serve } from '../cli.ts'
import { createDatabase, describeWith, type RunningEngine, startValkey } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, freePort, importRows, makeKey, scratch } from '../world.ts'

const quota = 600
const agreement = { rate: 1_000_000, burst: 1_000_000, quota }
const places = Array.from({ length: 20 }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: i, lon: i }))
const refusals = ['rate_limited', 'limits_unavailable', 'limits_busy', 'store_unavailable']
const codeOf = (body: string): string | undefined => /#([a-z_]+)"/.exec(body)?.[1]

/** The outcome of a call: the code of a problem, `ok`, or undefined without an answer. */
type Outcome = string | undefined

/** Makes a call over a connection of its own. */
const call = (url: string, secret: string, agent: Agent): Promise<Outcome> =>
  new Promise(resolve => {
    const id = 1 + Math.floor(Math.random() * places.length)
    const out = get(`${url}/locations/${id}`, { agent, headers: { 'X-API-Key': secret } }, answer => {
      let body = ''
      answer.on('data', part => {
        body += part
      })
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => resolve(answer.statusCode === 200 ? 'ok' : codeOf(body)))
    })
    out.on('error', () => resolve(undefined))
  })

describeWith(['pg', 'valkey'], 'two nodes of a database', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let valkey: RunningEngine
  const folders = [scratch(), scratch()]
  const blobs = scratch()
  const counts = { admitted: 0, unanswered: 0 }
  let secret: string
  let ports: number[]
  let adminPort: number
  let nodes: Served[]

  const env = (node: number) => ({
    PERIPLUS_STORE: database.url,
    PERIPLUS_LIMITS_SHARED: valkey.url,
    // Nodes that answer alone may exceed a quota by what the others have not folded.
    PERIPLUS_LIMITS_WHEN_DOWN: 'refuse',
    PERIPLUS_SERVER_PUBLIC_URL: 'http://places.test',
    PERIPLUS_FEEDS_SCHEDULE: 'manual',
    PERIPLUS_BLOBS: blobs.path,
    ...(node === 0 && { PERIPLUS_SERVER_ADMIN_PORT: String(adminPort) }),
    PERIPLUS_PEPPER_FILE: join(folders[0]!.path, 'pepper'),
    PERIPLUS_AUDIT_KEEP_DAYS: String(800 + node),
  })
  const start = (node: number) => serve(folders[node]!.path, ['--port', String(ports[node])], env(node))

  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    valkey = await startValkey()
    ports = [await freePort(), await freePort()]
    adminPort = await freePort()
    const config = configFor(folders[0]!.path, { store: database.url })
    await importRows(config, 'location', places)
    secret = (await makeKey(config, { agreement })).secret
    nodes = await Promise.all([start(0), start(1)])
  })
  afterAll(async () => {
    await Promise.all((nodes ?? []).map(node => node.stop('SIGKILL')))
    await valkey?.stop()
    await database?.drop()
    for (const { remove } of [...folders, blobs]) remove()
  })

  /** Calls both nodes in turns over some connections, until `isEnough`; counts the answers. */
  const callUntil = async (isEnough: () => boolean): Promise<void> => {
    const calls = Array.from({ length: 6 }, async (_, i) => {
      const agents = ports.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
      for (let turn = i; !isEnough(); turn++) {
        const node = turn % ports.length
        const outcome = await call(`http://127.0.0.1:${ports[node]}`, secret, agents[node]!)
        if (outcome === 'ok') counts.admitted++
        else if (outcome === undefined) counts.unanswered++
        else expect(refusals).toContain(outcome)
      }
      for (const agent of agents) agent.destroy()
    })
    await Promise.all(calls)
  }
  /** Resolves when a node decides calls. */
  const whenDeciding = (node: number) =>
    eventually(async () => {
      const agent = new Agent()
      const outcome = await call(`http://127.0.0.1:${ports[node]}`, secret, agent)
      agent.destroy()
      if (outcome === 'ok') counts.admitted++
      expect(['ok', 'rate_limited']).toContain(outcome)
    })

  test('admit a quota once, over kills of a node and of the cache, and bill what was answered', async () => {
    const [url, printed] = [`http://127.0.0.1:${ports[0]}`, nodes[0]!.printed()]
    expect(printed).toContain(`listening on ${url}\npublic address http://places.test\n`)
    await callUntil(() => counts.admitted >= quota / 4)
    const { notes } = (await (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).json()) as { notes: string[] }
    expect(notes).toContainEqual(expect.stringMatching(/^Config differs: .* node [-0-9a-f]{36} on /))
    const killed = nodes[1]!.stop('SIGKILL')
    const before = counts.admitted
    await callUntil(() => counts.admitted >= before + 50)
    await killed
    // What it has answered and not folded is folded by its next start.
    nodes[1] = await start(1)
    await whenDeciding(1)
    const atLoss = counts.admitted
    process.kill(valkey.pid, 'SIGKILL')
    await valkey.restart()
    await Promise.all([whenDeciding(0), whenDeciding(1)])
    await callUntil(() => counts.admitted >= atLoss + 50)
    let refused = 0
    const agent = new Agent({ keepAlive: true })
    while (refused < 4) {
      const outcome = await call(`http://127.0.0.1:${ports[refused % 2]}`, secret, agent)
      if (outcome === 'ok') counts.admitted++
      else if (outcome === 'rate_limited') refused++
    }
    agent.destroy()
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(metrics).toMatch(/^periplus_limit_mode\{mode="in"\} 1$/m)
    expect(metrics).toMatch(/^periplus_limit_swaps_total\{result="won"\} [1-9]/m)
    expect(metrics).toMatch(/^periplus_limit_pause_seconds_count [1-9]/m)
    expect(metrics).toMatch(/^periplus_store_query_seconds_count [1-9]/m)
    expect(metrics).toMatch(/^periplus_change_seq [1-9]/m)
    expect(await Promise.all(nodes.map(node => node.stop()))).toEqual([0, 0])
    const [{ units }] = await query<{ units: number }>('SELECT sum(units)::int AS units FROM usage_days')
    expect(units).toBeLessThanOrEqual(quota)
    expect(units).toBeGreaterThanOrEqual(counts.admitted)
    expect(units).toBeLessThanOrEqual(counts.admitted + counts.unanswered)
    expect(await query('SELECT DISTINCT mode, folded_at IS NULL AS never FROM cluster_nodes')).toEqual([
      { mode: 'left', never: false },
    ])
    // Each journal has what the ledger has of it. Without blobs, that of the other node cannot be read.
    for (const folder of folders) {
      const verified = await periplus(['verify', '--data', folder.path, '--json'], { env: env(1) })
      const { problems } = verified.json<{ problems: { problem: string }[] }>()
      expect(problems.filter(({ problem }) => !/^The journal of node .* is not reachable/.test(problem))).toEqual([])
    }
  })

  const query = async <R>(sql: string): Promise<[R, ...R[]]> => {
    const pool = new PostgresPool({ url: database.url, connections: 1, timeouts: workTimeouts })
    onTestFinished(() => pool.close())
    return (await pool.query<R>(sql)) as [R, ...R[]]
  }
})
