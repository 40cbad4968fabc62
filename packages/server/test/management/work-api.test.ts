/** Jobs, places and reviews in the admin API. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { importRows, ndjson, scratch, startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, type Body, createToken } from './admin-client.ts'

const folder = scratch()
const backups = join(folder.path, 'backups')
mkdirSync(backups)
const bigId = '9007199254740993'
const place = (id: number | bigint, name = `Place ${id}`) => ({
  id,
  source: 's',
  source_id: `p${id}`,
  name,
  lat: 1,
  lon: 2,
})
let world: World
let token: string
let admin: AdminClient
beforeAll(async () => {
  world = await startWorld({ 'backup.dir': backups, 'imports.uploadMb': 1 }, 'empty')
  await importRows(world.config, 'location', [place(1), place(2), place(BigInt(bigId))])
  const review = { source: 's', location_id: 1, rating: 4, text: 'Fine.', user_id: 'u1' }
  await importRows(
    world.config,
    'review',
    [1, 2, 3].map(id => ({ ...review, id, source_id: `r${id}` })),
  )
  await renewToken()
})
afterEach(() => renewToken())
afterAll(async () => {
  await world.close()
  folder.remove()
})

const upload = async (query: string, body: string) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' }
  const reply = await send(world.url, `/admin/v1/imports${query}`, { method: 'POST', headers, body })
  return { ...reply, body: JSON.parse(reply.text) as Body }
}
/** Waits for the end of a job, below the rate of a token of its own. */
async function ended(id: string): Promise<Body> {
  const poller = adminClient(world, await createToken(world, ['system:read']))
  const check = async () => {
    const { body } = await poller.get(`/jobs/${id}`)
    if (body.ended_at === undefined) throw new Error(`The job is ${body.state}.`)
    return body
  }
  return vi.waitFor(check, { timeout: inject('limitMs') / 2, interval: 100 })
}

/** Uses another token, because each may send 20 requests per second. */
const renewToken = async () => {
  token = await createToken(world)
  admin = adminClient(world, token)
}

describe('jobs', () => {
  test('an upload is imported; its job has counts, and its rejected rows are listed in pages', async () => {
    const bad = [1, 2, 3].map(n => ({ source: 's', source_id: `bad${n}`, name: 'No coordinates' }))
    const reply = await upload(
      '?source=s&force=true&category_map=izakaya%20bar%3Drestaurant',
      ndjson([...bad, { ...place(4), category: 'Izakaya bar' }]),
    )
    expect([reply.status, reply.headers.location]).toEqual([202, `/admin/v1/jobs/${reply.body.id}`])
    // A second upload waits for the first.
    const queued = await upload('', ndjson([place(5)]))
    expect(queued.status).toBe(202)
    const { id } = reply.body
    expect(await ended(id)).toMatchObject({ state: 'done', actor: { kind: 'token', via: 'api' } })
    const { body } = await admin.get(`/imports/${id}`)
    expect(body).toMatchObject({ result: { read: 4, added: 1, rejected: 3 }, rejects: [{ rows: 3 }] })
    const first = (await admin.get(`/imports/${id}/rejects?limit=2`)).body as Body & { data: Body[]; next: string }
    const second = await admin.get(`/imports/${id}/rejects?limit=2&after=${first.next}`)
    expect([first.data.map(row => row.line), second.body]).toMatchObject([[1, 2], { data: [{ line: 3 }], next: null }])
    expect((await admin.get('/imports')).body).toMatchObject({
      data: [{ id: queued.body.id }, { id, kind: 'import' }],
      next: null,
    })
    expect(await ended(queued.body.id)).toMatchObject({ state: 'done', result: { added: 1 } })
    // The service serves what was imported.
    await eventually(async () =>
      expect((await world.get('/locations/4')).json()).toMatchObject({
        data: { categories: [{ id: 'izakaya_bar', top_level_category: 'RESTAURANT' }, { id: 'restaurant' }] },
      }),
    )
  })

  test('a backup goes to a new folder of backup.dir', async () => {
    const { status, body } = await admin.send('POST', '/backups')
    if (world.config.store !== 'folder') {
      expect([status, body.code, body.detail]).toEqual([409, 'backup_of_database', expect.stringContaining('pg_dump')])
      return
    }
    expect(status).toBe(202)
    expect(await ended(body.id)).toMatchObject({ state: 'done', result: { problems: [] } })
    expect(readdirSync(backups)).toEqual([(body.request as { folder: string }).folder])
    expect((await admin.get('/backups')).body).toMatchObject({ data: [{ id: body.id }] })
  })

  test.each([
    ['GET', '/jobs/job_0', undefined, 404, 'job_unknown'],
    ['GET', '/imports/job_0', undefined, 404, 'import_unknown'],
    ['POST', '/jobs/job_0/cancel', undefined, 404, 'job_unknown'],
    ['GET', '/jobs?kind=other', undefined, 400, 'parameters_invalid'],
    ['POST', '/feeds/build', { versions: ['99'] }, 400, 'version_unknown'],
    ['POST', '/imports?map=nothing', undefined, 400, 'parameters_invalid'],
    ['POST', '/imports?map=nothing%3Dcolumn', undefined, 400, 'field_unknown'],
    ['POST', '/imports?category_map=ramen', undefined, 400, 'parameters_invalid'],
    ['POST', '/imports?category_map=ramen%3Deatery', undefined, 400, 'category_map_invalid'],
    ['POST', '/imports?replace=true', undefined, 400, 'source_required'],
    ['POST', '/imports?source=%20', undefined, 400, 'text_empty'],
    ['POST', '/imports?source=a%0Ab', undefined, 400, 'source_invalid'],
    ['POST', `/imports?source=${'x'.repeat(201)}`, undefined, 400, 'parameters_invalid'],
  ])('%s %s %j: %i %s', async (method, path, body, status, code) => {
    const reply = await admin.send(method, path, body)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  test('snapshots are built, listed and withdrawn', async () => {
    const { body } = await admin.send('POST', '/feeds/build', { feeds: ['locations'], versions: ['1'], kind: 'full' })
    expect(await ended(body.id)).toMatchObject({ state: 'done', result: { built: [{ feed: 'locations' }] } })
    const list = async () => (await admin.get('/feeds/locations/snapshots?version=1')).body as Body & { data: Body[] }
    const [snapshot] = (await list()).data
    const path = `/feeds/locations/snapshots/${snapshot!.snapshot_id}?version=1`
    expect((await admin.get(path)).body).toEqual(snapshot)
    expect((await admin.send('DELETE', `${path}&reason=Wrong%20data`)).status).toBe(204)
    expect((await list()).data).not.toContainEqual(snapshot)
    expect((await admin.send('DELETE', `${path}&reason=Again`)).status).toBe(410)
    expect((await admin.get('/feeds/nothing/snapshots')).body.code).toBe('feed_unknown')
    const events = (await periplus(['audit', 'list', '--json', '--data', world.config.data])).json()
    expect(events).toMatchObject({
      audit: expect.arrayContaining([expect.objectContaining({ action: 'feed.withdraw' })]),
    })
  })

  test('413 for an upload above imports.uploadMb', async () => {
    const reply = await upload('', ' '.repeat(1_000_001))
    expect([reply.status, reply.body.code]).toEqual([413, 'upload_too_large'])
  })

  test('413, not 503, for large bodies, which are discarded so that the answer arrives', async () => {
    const paths = ['/admin/v1/imports', '/admin/v1/partners', '/portal/sign-in', '/console/audit']
    for (const path of paths.flatMap(one => [one, one])) {
      for (const chunked of [{ 'Transfer-Encoding': 'chunked' }, {}]) {
        const headers = {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/x-www-form-urlencoded',
          ...chunked,
        }
        const { status } = await send(world.url, path, { method: 'POST', headers, body: Buffer.alloc(3_000_000) }, true)
        expect([path, chunked, status]).toEqual([path, chunked, 413])
      }
    }
  })

  test('an Idempotency-Key covers the uploaded body', async () => {
    const post = async (body: string, key: string, query = '?dry_run=true') => {
      const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': key }
      const reply = await send(world.url, `/admin/v1/imports${query}`, { method: 'POST', headers, body })
      return { ...reply, body: JSON.parse(reply.text) as Body }
    }
    const [one, other] = [ndjson([place(50)]), ndjson([place(51)])]
    const [first, repeated] = await Promise.all([post(one, 'up-1'), post(one, 'up-1')])
    expect([first.status, repeated.text]).toEqual([202, first.text])
    const replays = [first, repeated].filter(({ headers }) => headers['idempotency-replayed'] === 'true')
    expect(replays).toHaveLength(1)
    for (const reused of [await post(other, 'up-1'), await post(one, 'up-1', ''), await post('', 'up-1')])
      expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
    await ended(first.body.id)
    const refused = await post(one, 'up-2', '?map=nothing%3Dcolumn')
    expect(refused.body.code).toBe('field_unknown')
    const next = await post(other, 'up-2')
    expect(next.status).toBe(202)
    await ended(next.body.id)
  })
})

describe('places', () => {
  const path = `/locations/${bigId}/overrides/names`

  test('an override needs the ETag of the field, and is lifted with its own', async () => {
    const before = await admin.get(path)
    expect([before.headers.etag, before.body]).toMatchObject(['"0"', { overridden: false, value: [{ primary: true }] }])
    const change = { value: 'New name', reason: 'Called.' }
    expect((await admin.send('PUT', path, change)).status).toBe(428)
    const made = await admin.send('PUT', path, change, { 'If-Match': '"0"' })
    expect([made.status, made.body]).toMatchObject([200, { location_id: bigId, field: 'names', reason: 'Called.' }])
    const stale = await admin.send('PUT', path, change, { 'If-Match': '"0"' })
    expect([stale.status, stale.body.code]).toEqual([412, 'override_changed'])
    await eventually(async () => expect((await world.get(`/locations/${bigId}`)).text).toContain('New name'))
    const shown = await admin.get(`/locations/${bigId}`)
    expect(shown.body).toMatchObject({ id: bigId, overrides: [{ location_id: bigId, field: 'names' }] })
    const etag = made.headers.etag!
    expect((await admin.send('DELETE', `${path}?reason=Done`, undefined, { 'If-Match': etag })).status).toBe(204)
    expect((await admin.get(path)).body).toMatchObject({ overridden: false })
    expect((await admin.get(`/locations/${bigId}/history`)).body).toMatchObject({
      data: [{ action: 'location.lift', via: 'api' }, { action: 'location.override' }],
      next: null,
    })
  })

  test('a merge, and refusals', async () => {
    expect((await admin.send('POST', '/locations/2/merge', { into: '1', reason: 'Same.' })).status).toBe(200)
    expect((await admin.get('/locations/2')).body).toMatchObject({ id: '2', merged_into: '1' })
    for (const [method, target, body, status, code] of [
      ['POST', '/locations/1/merge', { into: '2', reason: 'Same.' }, 409, 'merge_circular'],
      ['POST', '/locations/1/merge', { into: '1' }, 400, 'parameters_invalid'],
      ['POST', '/locations/1/merge', { into: '1', reason: ' ' }, 400, 'reason_required'],
      ['GET', '/locations/99', undefined, 404, 'location_unknown'],
      ['GET', '/locations/x', undefined, 404, 'resource_unknown'],
      ['PUT', '/locations/1/overrides/rating', { value: 5, reason: 'x' }, 404, 'override_field_unknown'],
      ['PUT', '/locations/1/overrides/status', { value: 'GONE', reason: 'x' }, 400, 'override_invalid'],
    ] as const) {
      const reply = await admin.send(method, target, body, { 'If-Match': '"0"' })
      expect([method, target, reply.status, reply.body.code]).toEqual([method, target, status, code])
    }
  })
})

describe('the permission of a job', () => {
  test('is the one that starts its kind: it reads and cancels it, and no job of another kind', async () => {
    const clientWith = async (...permissions: string[]) => adminClient(world, await createToken(world, permissions))
    const [importer, builder, reader] = [
      await clientWith('imports:write'),
      await clientWith('feeds:write'),
      await clientWith('system:read', 'feeds:write'),
    ]
    const { body: job } = await upload('?kind=locations&source=s&dry_run=true', ndjson([place(1)]))
    await ended(String(job.id))
    expect((await importer.get(`/jobs/${job.id}`)).body).toMatchObject({ id: job.id, kind: 'import' })
    expect((await builder.get(`/jobs/${job.id}`)).body.code).toBe('job_unknown')
    expect((await reader.get(`/jobs/${job.id}`)).status).toBe(200)
    const cancels = [importer, builder, reader].map(client => client.send('POST', `/jobs/${job.id}/cancel`))
    const codes = (await Promise.all(cancels)).map(({ body }) => body.code)
    expect(codes).toEqual(['job_ended', 'job_unknown', 'not_permitted'])
  })
})

describe('reviews', () => {
  test('are found by a scan, and all that it has found are hidden (R-119)', async () => {
    for (const query of [{}, { user: 'u1' }, { text: 'x', by: 'me' }])
      expect((await admin.send('POST', '/review-scans', query)).status).toBe(400)
    expect((await admin.send('POST', '/review-scans/job_none/hide', {})).body.code).toBe('scan_unknown')
    expect((await admin.get('/review-scans/..%2Fx/reviews')).body.code).toBe('scan_unknown')
    const { status, headers, body: scan } = await admin.send('POST', '/review-scans', { user: 's:u1', text: 'FINE' })
    expect([status, headers.location]).toEqual([202, `/admin/v1/jobs/${scan.id}`])
    expect(await ended(scan.id as string)).toMatchObject({ state: 'done', result: { read: 3, found: 3 } })
    const first = (await admin.get(`/review-scans/${scan.id}/reviews?limit=2`)).body as Body & { data: Body[] }
    expect(first.data.map(({ id }) => id)).toEqual(['3', '2'])
    const rest = await admin.get(`/review-scans/${scan.id}/reviews?limit=2&after=${first.next}`)
    expect(rest.body).toMatchObject({ data: [{ id: '1', state: 'shown' }], next: null })
    const { body: hiding } = await admin.send('POST', `/review-scans/${scan.id}/hide`, { reason: 'Ads' })
    expect(await ended(hiding.id as string)).toMatchObject({ kind: 'moderation', result: { found: 3, changed: 3 } })
    const shown = await periplus(['reviews', 'show', '--scan', `${scan.id}`, '--data', world.config.data])
    expect(shown.stdout).toContain('3 of 3 reviews are shown again.')
  })

  test('are listed, hidden, shown and erased', async () => {
    const list = async (query: string) =>
      (await admin.get(`/reviews${query}`)).body as Body & { data: Body[]; next: string }
    const first = await list('?limit=2')
    expect(first.data.map(({ id }) => id)).toEqual(['3', '2'])
    expect((await list(`?limit=2&after=${first.next}`)).data.map(({ id }) => id)).toEqual(['1'])
    expect((await list('?location_id=2')).data).toEqual([])
    expect((await admin.send('POST', '/reviews/2/hide')).body).toEqual({ id: '2', state: 'hidden' })
    expect((await list('?location_id=1&state=hidden')).data).toMatchObject([{ id: '2', location_id: '1', rating: 4 }])
    const listed = await periplus(['reviews', 'list', '--hidden', '--json', '--data', world.config.data])
    expect(listed.json()).toMatchObject({ reviews: [{ id: 2, location_id: 1, state: 'hidden' }] })
    expect((await admin.get('/reviews/2')).body).toMatchObject({
      state: 'hidden',
      record: { text: [{ value: 'Fine.' }] },
    })
    expect((await admin.send('POST', '/reviews/2/show')).body).toEqual({ id: '2', state: 'shown' })
    await admin.send('POST', '/reviews/2/hide?reason=query', { reason: 'Spam in the body.' })
    expect((await list('?state=hidden')).data).toMatchObject([{ id: '2', reason: 'Spam in the body.' }])
    await admin.send('POST', '/reviews/2/show')
    expect((await admin.send('POST', '/reviews/1/erase')).body).toMatchObject({
      state: 'erased',
      ids: ['1'],
      removed: 1,
    })
    expect((await admin.get('/reviews/1')).status).toBe(404)
    expect((await admin.send('POST', '/reviewers/s/u1/erase')).body).toMatchObject({ removed: 2 })
    expect((await admin.send('POST', '/reviewers/s:t/u1/erase')).body.code).toBe('reviewer_invalid')
  })
})
