/** The link of the first owner, the people of the demo, and sessions after a restore. */
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { withEngine } from '../../src/compose/engine.ts'
import { createFirstOwnerLink } from '../../src/compose/first-owner.ts'
import { getManagementUrl } from '../../src/compose/identity.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { acceptLink } from '../../src/usecases/admin/accept-link.ts'
import { createDemoLink } from '../../src/usecases/admin/create-link.ts'
import { readSession } from '../../src/usecases/admin/read-session.ts'
import type { StartedSession } from '../../src/usecases/admin/start-session.ts'
import { periplus } from '../cli.ts'
import { openIdentity } from '../composed.ts'
import { actor, configFor, importRows, scratch } from '../world.ts'

const folder = scratch()
const config = configFor(folder.path)
await importRows(config, 'location', [])
const identity = openIdentity(config)
afterAll(() => {
  identity.close()
  folder.remove()
})

const browser = { requestId: 'r', address: '192.0.2.1' }
const ownerLink = (settings = config) =>
  withEngine(settings, { create: false }, engine =>
    createFirstOwnerLink(engine, settings, systemClock, 'http://127.0.0.1:8080/places'),
  )
const accept = (link: string | undefined, email: string) =>
  acceptLink(identity, browser, { token: link!.split('/').at(-1)!, email, password: 'correct horse battery' })

test('each start prints another link until there is an owner', async () => {
  const first = await ownerLink()
  const second = await ownerLink()
  expect(first).toMatch(/^http:\/\/localhost:8080\/places\/portal\/link\/[\w-]{43}$/)
  expect(await accept(first, 'o@example.org')).toMatchObject({ fault: 'link_ended' })
  const off = configFor(folder.path, { 'management.enabled': false })
  expect(await ownerLink(off)).toBeUndefined()
  expect(await accept(second, 'o@example.org')).toMatchObject({ user: { staffRole: 'owner' } })
  expect(await ownerLink()).toBeUndefined()
})

test.each([
  [{ 'server.publicUrl': 'https://places.example.org/api/' }, 'https://places.example.org/api'],
  [{ 'management.publicUrl': 'https://manage.example.org' }, 'https://manage.example.org'],
  [{ 'management.port': 8090 }, 'http://localhost:8090'],
  [{ 'management.port': 8090, 'management.host': '192.0.2.1' }, 'http://192.0.2.1:8090'],
  [{}, 'http://localhost:8080'],
])('%j is served at %s', (flags, url) => {
  expect(getManagementUrl(configFor(folder.path, flags), 'http://0.0.0.0:8080')).toBe(url)
})

test('links of the demo work any number of times, until the folder is served', async () => {
  const person = { email: 'operator@demo.invalid', name: 'A', staffRole: 'owner', memberships: [] } as const
  const { token } = await createDemoLink(identity, actor, { person, expiresMs: Date.now() + 60_000 })
  const [one, two] = [await acceptLink(identity, browser, { token }), await acceptLink(identity, browser, { token })]
  expect([one, two]).toMatchObject([{ user: { staffRole: 'owner' } }, { user: { staffRole: 'owner' } }])
  await ownerLink()
  expect(await acceptLink(identity, browser, { token })).toMatchObject({ fault: 'link_ended' })
})

test('a restored folder has the users, and no session or link', async () => {
  const link = (
    await periplus(['users', 'invite', 'b@example.org', '--role', 'support', '--json', '--data', folder.path])
  ).json<{ link: string }>().link
  const invite = { token: link.split('/').at(-1)!, password: 'correct horse battery' }
  const spent = await periplus(['users', 'link', '--owner', '--json', '--data', folder.path])
  const session = (await accept(spent.json<{ link: string }>().link, 'c@example.org')) as StartedSession
  expect(await readSession(identity, session.token)).toBeDefined()
  const backup = `${folder.path}-backup`
  const restored = `${folder.path}-restored`
  expect(await periplus(['backup', backup, '--data', folder.path])).toMatchObject({ code: 0 })
  expect(await periplus(['restore', backup, '--data', restored])).toMatchObject({ code: 0 })
  const other = openIdentity(configFor(restored))
  expect(await readSession(other, session.token)).toBeUndefined()
  expect(await acceptLink(other, browser, invite)).toMatchObject({ fault: 'link_ended' })
  expect(await other.people.users.byEmail('c@example.org')).toMatchObject({ staffRole: 'owner' })
  await other.close()
  for (const path of [backup, restored]) rmSync(path, { recursive: true })
})
