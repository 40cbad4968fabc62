/** Links by mail, received by a real SMTP server. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { acceptLink } from '../../src/usecases/admin/accept-link.ts'
import { periplus } from '../cli.ts'
import { openIdentity } from '../composed.ts'
import { eventually } from '../eventually.ts'
import { pageClient } from '../management/page-client.ts'
import { scratch, startWorld } from '../world.ts'

const received: Email[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: async (stream, _session, done) => {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    received.push(await PostalMime.parse(Buffer.concat(parts)))
    done()
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const { port } = server.server.address() as AddressInfo

const smtp = { 'mail.host': '127.0.0.1', 'mail.port': port, 'mail.from': 'Places <places@example.org>' }
const world = await startWorld(smtp, 'empty')
const { get, post } = pageClient(world)
const folder = scratch()
const identity = openIdentity(world.config)
const file = join(folder.path, 'mail.yaml')
writeFileSync(file, `mail: {host: 127.0.0.1, port: ${port}, from: "Places <places@example.org>"}\n`)
afterAll(async () => {
  await identity.close()
  folder.remove()
  await world.close()
  await new Promise<void>(resolve => server.close(() => resolve()))
})

const run = (...args: string[]) => periplus([...args, '--data', world.config.data, '--config', file])

test('an invitation and a link for recovery arrive by mail and sign in', async () => {
  const invited = await run('users', 'invite', 'Ann@example.org', '--role', 'owner', '--json')
  expect(invited.json()).toMatchObject({ mail: 'sent', email: 'ann@example.org' })
  expect(received[0]).toMatchObject({ from: { address: 'places@example.org' }, to: [{ address: 'ann@example.org' }] })
  const [link] = /http\S+\/portal\/link\/\S+/.exec(received[0]!.text!)!
  expect(link).toBe(invited.json<{ link: string }>().link)
  const browser = { requestId: 'r', address: '192.0.2.1' }
  const token = link!.split('/').at(-1)!
  expect(await acceptLink(identity, browser, { token })).toMatchObject({ user: { staffRole: 'owner' } })
  expect((await run('users', 'link', 'ann@example.org')).stdout).toContain('It was sent by mail to ann@example.org.')
  expect(received[1]).toMatchObject({ subject: 'Sign in to Periplus', to: [{ address: 'ann@example.org' }] })
})

test('who forgot the password gets a link by mail; unknown addresses get the same answer', async () => {
  expect((await get('/portal/forgotten')).text).toContain('name="email"')
  const answers = await Promise.all(
    ['nobody@example.org', 'no address', 'Ann@Example.org'].map(email => post('/portal/forgotten', { email })),
  )
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers['set-cookie']}`)).size).toBe(1)
  await eventually(() => expect(received).toHaveLength(3))
  expect(received[2]).toMatchObject({ to: [{ address: 'ann@example.org' }] })
  const [link] = /\/portal\/link\/\S+/.exec(received[2]!.text!)!
  const opened = await post(link!, { password: 'correct horse battery' })
  expect(opened).toMatchObject({ status: 303, headers: { location: '/portal' } })
})

test('a link is printed although the mail cannot be sent', async () => {
  writeFileSync(file, 'mail: {host: 127.0.0.1, port: 1, from: places@example.org}\n')
  const result = await run('users', 'invite', 'bea@example.org', '--role', 'support', '--json')
  expect(result.json()).toMatchObject({ mail: 'failed', link: expect.stringContaining('/portal/link/') })
})
