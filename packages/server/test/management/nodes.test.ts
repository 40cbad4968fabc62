/** The management of two nodes of a database, behind a balancer that alternates between them. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PostgresLimitStates } from '../../src/store/postgres/shared-states.ts'
import { describeWith } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, type Body, createToken } from './admin-client.ts'
import { pageClient } from './page-client.ts'

describeWith(['pg'], 'the management of two nodes', () => {
  let world: World
  let client: ReturnType<typeof pageClient>
  /** The cookie of a user of the partner `tester`, who has signed in on one of the nodes. */
  let cookie: string
  const { clockUs } = PostgresLimitStates.prototype
  beforeAll(async () => {
    vi.stubEnv('PERIPLUS_TEST_NODES', '2')
    world = await startWorld()
    client = pageClient(world)
    // On a busy machine a request may be asked to try again while the management thread starts.
    const openStart = async () => (await client.get('/portal/sign-in')).status
    await eventually(async () => expect([await openStart(), await openStart()]).toEqual([200, 200]))
    await client.run('partners', 'set', 'tester', '--package', 'growth', '--live-keys', '10')
    cookie = client.cookieOf(await client.open('admin@example.org', '--role', 'admin', '--partner', 'tester'))
  })
  afterAll(async () => {
    await world?.close()
    PostgresLimitStates.prototype.clockUs = clockUs
    vi.unstubAllEnvs()
  })

  /** The status of a call on each node. */
  const callBoth = async (key: string, target = '/locations/1') => [
    (await world.get(target, { key })).status,
    (await world.get(target, { key })).status,
  ]

  /** The nodes, for clients of one of them. */
  const pinned = () => [world.url, world.url].map(url => ({ url, config: world.config }))

  /** Repeats a request that a busy machine answers with 503, or that exceeds the rate of an admin token. */
  const answered = async <T extends { readonly status: number }>(request: () => Promise<T>): Promise<T> =>
    eventually(async () => {
      const reply = await request()
      expect([429, 503]).not.toContain(reply.status)
      return reply
    })

  test('a session continues on the other node, which shows a new secret once', async () => {
    expect(
      await Promise.all(
        [1, 2, 3, 4].map(async () => (await answered(() => client.get('/portal/tester/', cookie))).status),
      ),
    ).toEqual([200, 200, 200, 200])
    const made = await client.post('/portal/tester/keys/new', { test: 'no', name: 'Backend' }, { cookie })
    const secret = /peri_live_\w+/.exec(made.text)?.[0]
    expect(secret).toBeDefined()
    await eventually(async () => expect(await callBoth(secret!)).toEqual([200, 200]))
  })

  test('a request with an Idempotency-Key that both nodes get at once is done once', async () => {
    const admin = adminClient(world, await createToken(world))
    const create = () =>
      answered(() => admin.send('POST', '/partners', { name: 'Once' }, { 'Idempotency-Key': 'same' }))
    const replies = await Promise.all([create(), create(), create(), create()])
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(3)
  })

  test('fifty changes at once are all made, and leave reads their connections', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => createToken(world)))
    const admin = adminClient(world, tokens)
    const changes = Array.from({ length: 50 }, (_, i) =>
      answered(() => admin.send('POST', '/partners', { name: `Partner ${i}` })),
    )
    const replies = await Promise.all([...changes, answered(() => client.get('/portal/tester/', cookie))])
    expect(replies.map(({ status }) => status)).toEqual([...changes.map(() => 201), 200])
  })

  test('changes of one process are seen by both nodes', async () => {
    const { config } = world
    const { id, secret } = await makeKey(config, { agreement: { rate: 1_000_000, burst: 1_000_000, quota: 1000 } })
    await eventually(async () => expect(await callBoth(secret)).toEqual([200, 200]))

    const onBoth = async <T>(target: string) => {
      const replies = [await answered(() => world.get(target)), await answered(() => world.get(target))]
      return replies.map(reply => (reply.json() as { data: T }).data)
    }
    await importRows(config, 'location', [{ id: 7000, name: 'Before', lat: 1, lon: 1 }])
    await eventually(async () => expect(await callBoth(secret, '/locations/7000')).toEqual([200, 200]))
    await importRows(config, 'location', [{ id: 7000, name: 'After', lat: 1, lon: 1 }])
    await eventually(async () => {
      for (const data of await onBoth<object>('/locations/7000?version=1'))
        expect(JSON.stringify(data)).toContain('After')
    })

    const reviews = '/locations/2/reviews?version=1'
    const [[review]] = (await onBoth<{ id: string }[]>(reviews)) as [[{ id: string }], unknown]
    await client.run('reviews', 'hide', String(review.id))
    await eventually(async () => {
      for (const data of await onBoth<{ id: string }[]>(reviews))
        expect(data.map(({ id }) => id)).not.toContain(review.id)
    })

    await client.run('keys', 'set', id, '--quota', '1')
    await eventually(async () => expect(await callBoth(secret)).toEqual([429, 429]))
    await client.run('keys', 'revoke', id)
    await eventually(async () => expect(await callBoth(secret)).toEqual([401, 401]))
  })

  test('a dry run, rejected rows and a scan of one node are shown and decided on the other', async () => {
    const nodes = pinned()
    const [one, other] = nodes.map(pageClient) as [typeof client, typeof client]
    const token = await createToken(world)
    const [adminOfOne, adminOfOther] = nodes.map(node => adminClient(node, token)) as [AdminClient, AdminClient]
    const listed = async (admin: AdminClient, path: string) =>
      (await answered(() => admin.get(path))).body as Body & { data: Body[] }
    const ended = (admin: AdminClient, id: string) =>
      eventually(async () => expect((await listed(admin, `/jobs/${id}`)).state).toBe('done'))

    const staff = client.cookieOf(await client.open('operator@example.org', '--role', 'operator'))
    const row = { source: 's', source_id: 'r9', user_id: 'u9', text: 'Far too loud.', location_id: 1, rating: 9 }
    const text = `${JSON.stringify(row)}\n${JSON.stringify({ ...row, source_id: 'r8', rating: 1 })}\n`
    const file = { name: 'reviews.ndjson', text }
    const options = { mode: 'check', kind: 'reviews', force: 'yes' }
    const checked = await answered(() => one.upload('/console/imports/new', options, file, staff))
    const page = checked.headers.location!
    await eventually(async () => {
      const shown = (await other.get(page, staff)).text
      for (const part of ['rating_out_of_range', 'r9', 'Import now']) expect(shown).toContain(part)
    })
    const started = await answered(() => other.post(`${page}/import`, {}, { cookie: staff }))
    const id = started.headers.location!.split('/').at(-1)!
    await ended(adminOfOne, id)
    expect((await answered(() => one.get(page, staff))).text).toContain('upload the file again')
    for (const admin of [adminOfOne, adminOfOther])
      expect((await listed(admin, `/imports/${id}/rejects`)).data).toMatchObject([{ row: JSON.stringify(row) }])

    const scan = (await answered(() => adminOfOne.send('POST', '/review-scans', { text: 'far too loud' }))).body
    await ended(adminOfOther, scan.id)
    expect((await listed(adminOfOther, `/review-scans/${scan.id}/reviews`)).data).toMatchObject([{ rating: 1 }])
    const hiding = await answered(() => adminOfOther.send('POST', `/review-scans/${scan.id}/hide`, { reason: 'Ads' }))
    await ended(adminOfOne, hiding.body.id)

    // The rows of the dry run and of the import; the erasure leaves nothing on the node that has not made it.
    const erased = await answered(() => adminOfOther.send('POST', '/reviewers/s/u9/erase'))
    expect(erased.body).toMatchObject({ removed_rejects: 2 })
    expect((await listed(adminOfOne, `/imports/${id}/rejects`)).data).toEqual([])
    expect((await listed(adminOfOne, `/review-scans/${scan.id}/reviews`)).code).toBe('scan_unknown')
  })

  test('each node names itself where it reports about itself', async () => {
    const token = await createToken(world)
    const staff = client.cookieOf(await client.open('health@example.org', '--role', 'operator'))
    const ids = new Set<string>()
    for (const node of pinned()) {
      const { id } = (await answered(() => adminClient(node, token).get('/health'))).body.node as Body
      const { text } = await answered(() => pageClient(node).get('/console/health', staff))
      expect(text).toContain(`node <code>${id}</code>`)
      ids.add(id)
    }
    expect(ids.size).toBe(2)
  })

  test('calls of both nodes are on one page of requests, and in the usage that both show', async () => {
    const { id, secret } = await makeKey(world.config)
    await eventually(async () => expect(await callBoth(secret)).toEqual([200, 200]))
    const calls = await Promise.all(
      Array.from({ length: 4 }, () => answered(() => world.get('/locations/2', { key: secret }))),
    )
    const ids = calls.map(({ headers }) => headers['x-request-id'] as string)
    await eventually(async () => {
      for (let node = 0; node < 2; node++) {
        const { text } = await client.get(`/portal/tester/requests?key=${id}`, cookie)
        for (const request of ids) expect(text).toContain(request)
      }
    })
    const admin = adminClient(world, await createToken(world))
    await eventually(async () => {
      const used = await Promise.all([1, 2].map(async () => (await admin.get(`/usage?key_id=${id}&by=key`)).body))
      expect(used[0]!.units).toBe(used[1]!.units)
      expect(used[0]!.units).toBeGreaterThanOrEqual(6)
    })
  })
})
