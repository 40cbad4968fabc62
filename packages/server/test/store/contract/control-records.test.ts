import { expect, test } from 'vitest'
import type { EventDraft } from '../../../src/domain/event.ts'
import { type JobOrder, jobOrders } from '../../../src/domain/job.ts'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import { everything } from '../../../src/domain/visibility.ts'
import type { WebhookEndpoint } from '../../../src/domain/webhook.ts'
import { dayMs } from '../../../src/kit/time.ts'
import { record } from '../../record.ts'
import { type ControlStores, describeControl, digestOf, userNamed } from './control.ts'

const draft = (uniqueKey: string, more: Partial<EventDraft> = {}): EventDraft => ({
  type: 'key.created',
  atMs: 1000,
  data: { key_id: 'k1' },
  uniqueKey,
  ...more,
})
const endpoint = (id: string, more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  url: `https://${id}.example.org/`,
  types: ['key.created'],
  state: 'active',
  createdMs: 0,
  revision: 1,
  ...more,
})
const addPartner = ({ keys }: ControlStores, id: string) =>
  keys.createPartner({ id, name: id, ...newPartnerTerms, createdMs: 0, revision: 1 }, record())

describeControl('records', open => {
  test('the audit is read in both orders and by each filter, and cannot be changed', async () => {
    const [{ audit, db }] = open()
    const actor = { kind: 'user', id: 'ann', via: 'portal', address: '::1', requestId: 'r' } as const
    const line = (atMs: number, target: string, more = {}) => ({
      atMs,
      actor,
      action: 'key.change',
      target,
      before: { name: 'ä' },
      after: { name: null, n: 5 },
      ...more,
    })
    await audit.append({ audit: line(1, 'a', { partnerId: 'acme' }) })
    await audit.append({ audit: line(2, 'b', { action: 'key.revoke' }) })
    const now = Date.now()
    await audit.append({ audit: line(now, 'c', { actor: { ...actor, id: 'bo' } }) })
    const targets = async (more: object) =>
      (await audit.list({ visibility: everything, limit: 9, ...more })).lines.map(({ target }) => target).join('')
    const found = [
      await targets({}),
      await targets({ order: { by: 'time', isDescending: false } }),
      await targets({ visibility: { partnerId: 'acme' } }),
      await targets({ partnerId: 'acme' }),
      await targets({ actorId: 'bo' }),
      await targets({ action: 'key.revoke' }),
      await targets({ target: 'c' }),
      await targets({ fromMs: 2 }),
      await targets({ toMs: 2 }),
    ]
    expect(found).toEqual(['cba', 'abc', 'a', 'a', 'c', 'b', 'c', 'cb', 'a'])
    const page = await audit.list({ visibility: everything, limit: 2 })
    const last = await audit.list({ visibility: everything, limit: 2, after: page.next! })
    expect(last).toEqual({ lines: [{ seq: expect.any(Number), ...line(1, 'a', { partnerId: 'acme' }) }] })
    await expect(db.run("UPDATE audit SET target = 'x'")).rejects.toThrow()
    await expect(db.run('DELETE FROM audit')).rejects.toThrow()
    expect([await audit.prune(now + 1, 1), await audit.prune(now + 1, 9), await audit.prune(now + 1, 9)]).toEqual([
      1, 1, 0,
    ])
  })

  test('events are delivered to their endpoints once, with mails, and pruned', async () => {
    const [stores] = open()
    const { webhooks, events, audit, people } = stores
    await addPartner(stores, 'acme')
    await addPartner(stores, 'brix')
    await people.users.create(userNamed('op', { staffRole: 'owner' }), record())
    await people.users.create(userNamed('quiet', { staffRole: 'owner', mails: { 'key.created': false } }), record())
    await people.users.create(userNamed('adm', { memberships: [{ partnerId: 'acme', role: 'admin' }] }), record())
    await webhooks.addEndpoint(endpoint('all'), digestOf('secret'), record())
    await webhooks.addEndpoint(endpoint('acme', { partnerId: 'acme', createdMs: 1 }), digestOf('s'), record())
    await webhooks.addEndpoint(endpoint('brix', { partnerId: 'brix', state: 'paused' }), digestOf('s'), record())
    expect((await webhooks.endpoints(everything)).map(({ id }) => id)).toEqual(['all', 'brix', 'acme'])
    expect(await webhooks.endpoint('acme', { partnerId: 'brix' })).toBeUndefined()

    await audit.appendEvents([draft('1', { partnerId: 'acme' }), draft('2', { type: 'import.finished' }), draft('3')])
    await events.add([draft('3'), draft('4', { partnerId: 'brix' })])
    const rule = () => ({ audience: 'staff', isSecurity: false }) as const
    expect([await events.fanOut(2000, rule), await events.fanOut(2000, rule)]).toEqual([7, 0])
    const mails = await events.dueMails(2000, 9)
    expect(mails.map(({ userId, event }) => `${userId} ${event.data.key_id}`)).toEqual([
      ...Array(2).fill('op k1'),
      'quiet k1',
      ...Array(2).fill('op k1'),
    ])
    await events.settleMail({ no: mails[0]!.no, state: 'delivered' })
    await events.settleMail({ no: mails[1]!.no, state: 'pending', nextMs: 9000 })
    expect((await events.dueMails(8999, 9)).length).toBe(3)
    const listed = await webhooks.mails({ limit: 4 })
    expect([listed.rows.length, (await webhooks.mails({ limit: 4, after: listed.next! })).rows[0]?.state]).toEqual([
      4,
      'delivered',
    ])

    const types = async (visibility: Parameters<typeof webhooks.events>[0]['visibility']) =>
      (await webhooks.events({ visibility, limit: 9, types: ['key.created', 'import.finished'] })).rows.length
    expect([await types(everything), await types({ partnerId: 'acme' }), await types({ partnerId: 'x' })]).toEqual([
      4, 2, 1,
    ])
    const due = await events.due(2000, 2, new Set())
    expect(due.map(({ endpoint: { id }, secrets }) => [id, secrets.current])).toEqual([
      ...Array(2).fill(['all', digestOf('secret')]),
      ...Array(2).fill(['acme', digestOf('s')]),
    ])
    const [first, second] = due
    const attempt = { atMs: 2001, durationMs: 5, status: 500, body: 'no' }
    await events.settle({ deliveryId: first!.id, attempt, state: 'pending', nextMs: 5000 })
    expect(await webhooks.delivery(first!.id, everything)).toMatchObject({ nextMs: 5000, attempts: [attempt] })
    expect(await webhooks.endpoint('all', everything)).toMatchObject({ failingSinceMs: 2001 })
    const [, , delivered] = due
    const accepted = { atMs: 2002, durationMs: 5, status: 204 }
    await events.settle({ deliveryId: delivered!.id, attempt: accepted, state: 'delivered' })
    // The result of a worker that was stopped meanwhile.
    await events.settle({ deliveryId: delivered!.id, attempt, state: 'pending', nextMs: 2003 })
    expect(await webhooks.delivery(delivered!.id, everything)).toMatchObject({
      state: 'delivered',
      attempts: [accepted],
    })
    await events.settle({ deliveryId: second!.id, attempt, state: 'failed', disable: 'failing' })
    await events.settle({ deliveryId: first!.id, attempt, state: 'failed', disable: 'failing' })
    expect(await webhooks.endpoint('all', everything)).toMatchObject({ state: 'disabled', disabledReason: 'failing' })
    const disabled = await webhooks.events({ visibility: everything, limit: 9, types: ['webhook.disabled'] })
    expect(disabled.rows.length).toBe(1)
    expect((await events.due(2000, 9, new Set(due.map(({ id }) => id)))).length).toBe(0)
    const active = await webhooks.updateEndpoint('all', 1, { state: 'active' }, record())
    expect(active).toEqual({ ...endpoint('all'), revision: 2 })
    expect(await webhooks.updateEndpoint('all', 1, { url: 'https://x' }, record())).toBeUndefined()
    expect(await webhooks.redeliver(first!.id, 7000, record())).toMatchObject({ state: 'pending', nextMs: 7000 })
    const failed = await webhooks.deliveries({ visibility: everything, endpointId: 'all', state: 'failed', limit: 9 })
    expect(failed.rows.map(({ id }) => id)).toEqual([second!.id])
    await webhooks.rotateSecret('all', 2, digestOf('new'), 99, record())
    expect(await webhooks.secrets('all')).toEqual({ current: digestOf('new'), previous: digestOf('secret') })
    expect([
      await webhooks.removeEndpoint('all', 2, record()),
      await webhooks.removeEndpoint('all', 3, record()),
    ]).toEqual([false, true])
    expect((await webhooks.deliveries({ visibility: everything, limit: 9 })).rows.length).toBe(4)

    const added = [{ ...draft('5', { atMs: Date.now() }), endpointId: 'acme' }]
    await events.addLocationEvents(added, { from: undefined, to: 77 })
    // Another process that is no longer the worker: its events are those of the first one.
    await events.addLocationEvents([{ ...added[0]!, uniqueKey: 'late' }], { from: undefined, to: 70 })
    expect(await events.locationPosition()).toBe(77)
    await events.prune(Date.now() - 31 * dayMs)
    const left = await webhooks.events({ visibility: everything, limit: 9 })
    expect(left.rows.map(({ endpointId }) => endpointId)).toEqual(['acme'])
    expect((await webhooks.deliveries({ visibility: everything, limit: 9 })).rows).toEqual([])
  })

  test('jobs end once, are found in every order, and have failed without their process', async () => {
    const [{ jobs }, other] = open()
    const actor = { kind: 'cli', id: 'ann', via: 'cli' } as const
    const job = (n: number) => ({
      id: `job_${n}`,
      kind: 'import' as const,
      actor,
      request: { source: n === 1 ? 'Osm' : 'b', inputs: [`${n}.csv`] },
      createdMs: n,
    })
    const running = await jobs.start(job(1))
    const progress = { phase: 'input', done: 1, total: 9, unit: 'bytes' } as const
    await running.report(progress)
    const survey = { drift: { a: 1 }, points: [] } as never
    const rejects = [{ input: '1.csv', file: '/rejects', rows: 2 }]
    expect(await jobs.cancel('job_1', record())).toMatchObject({ isCancelling: true, progress })
    expect(await running.isCancelling()).toBe(true)
    await running.end({ state: 'done', result: { read: 10, added: 9, changed: 0, rejected: 1 }, rejects, survey })
    await running.end({ state: 'failed' })
    expect(await jobs.find('job_1')).toMatchObject({ state: 'done', result: { read: 10 }, isCancelling: false })
    expect([await jobs.rejects('job_1'), await jobs.survey('job_1')]).toEqual([rejects, survey])
    expect(await jobs.cancel('job_1', record())).toBeUndefined()

    await jobs.add(job(2), record())
    // The stores of the other process do not know the lock of this one.
    expect(await other.jobs.find('job_2')).toMatchObject({ state: 'failed', failure: { fault: 'job_process_ended' } })
    expect(await jobs.take('job_2')).toBeUndefined()
    const waiting = await jobs.add(job(3), record())
    const taken = await jobs.take('job_3')
    expect(taken?.job).toMatchObject({ state: 'running', startedMs: expect.any(Number) })
    await waiting.abandon({ fault: 'job_process_ended' } as never)
    await taken!.end({ state: 'done', result: { read: 100, rejected: 0 } })
    for (const by of Object.keys(jobOrders.first) as JobOrder[]) {
      const first = await jobs.part({ order: { by, isDescending: true }, limit: 2 })
      const second = await jobs.part({ order: { by, isDescending: true }, limit: 2, after: first.next! })
      const ids = [...first.rows, ...second.rows].map(({ id }) => id)
      expect(ids.toSorted(), by).toEqual(['job_1', 'job_2', 'job_3'])
      if (by === 'read') expect(ids).toEqual(['job_3', 'job_1', 'job_2'])
      if (by === 'source') expect(ids[0]).toBe('job_1')
    }
    expect((await jobs.list({ kind: 'import', state: 'failed', limit: 9 })).length).toBe(1)
  })
})
