import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'

let world: World
let admin: AdminClient
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  admin = adminClient(world, await createToken(world))
})
afterAll(() => world.close())

test('terms, notes and the end of a partner', async () => {
  const { body: made } = await admin.send('POST', '/partners', { name: 'Terms' })
  const path = `/partners/${made.id}`
  const terms = { package: 'growth', agreement: { rate: 9, search_rate: 3 }, live_keys_max: 2, zone: 'europe/madrid' }
  const changed = await admin.send('PATCH', path, { ...terms, scope: { countries: ['ES'] } }, { 'If-Match': '"1"' })
  expect(changed.body).toMatchObject({ ...terms, zone: 'Europe/Madrid', scope: { countries: ['ES'] } })
  const again = await admin.send('PATCH', path, { agreement: { rate: null }, scope: null }, { 'If-Match': '"2"' })
  expect(again.body).toMatchObject({ agreement: { search_rate: 3 }, scope: {} })
  expect((await admin.send('PATCH', path, { live_keys_max: 1001 }, { 'If-Match': '"3"' })).status).toBe(400)
  expect((await admin.send('POST', `${path}/notes`, { text: 'Pays late.' })).status).toBe(201)
  expect((await admin.get(`${path}/notes`)).body.data).toMatchObject([{ text: 'Pays late.' }])

  const { body: key } = await admin.send('POST', '/keys', { package: 'growth', partner_id: made.id })
  await admin.send('PATCH', path, { state: 'closed' }, { 'If-Match': '"3"' })
  expect((await admin.get(`/keys/${key.id}`)).body.state).toBe('revoked')
})

test('secrets are listed by their last characters, and one can be ended', async () => {
  const { body: key } = await admin.send('POST', '/keys', { package: 'growth' })
  const path = `/keys/${key.id}/secrets`
  const { body: rotated } = await admin.send('POST', path, {})
  const listed = await admin.get(path)
  const secrets = listed.body.data as { id: string; last4: string }[]
  expect(secrets.map(({ last4 }) => last4)).toEqual([key.secret, rotated.secret].map(text => String(text).slice(-4)))
  expect(listed.text).not.toContain(key.secret)
  const end = (id: string, etag: string) => admin.send('DELETE', `${path}/${id}`, undefined, { 'If-Match': etag })
  expect((await end('nothing', listed.headers.etag!)).status).toBe(404)
  expect((await end(secrets[0]!.id, '"1"')).status).toBe(412)
  expect((await end(secrets[0]!.id, listed.headers.etag!)).status).toBe(200)
  const status = async (secret: unknown) => (await world.get('/locations/999', { key: secret as string })).status
  expect([await status(key.secret), await status(rotated.secret)]).toEqual([401, 404])
})
