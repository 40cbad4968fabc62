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
import { configFor, makeFolder, scratch } from '../world.ts'

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

const folder = scratch()
makeFolder(configFor(folder.path))
const identity = openIdentity(configFor(folder.path))
const file = join(folder.path, 'mail.yaml')
writeFileSync(file, `mail: {host: 127.0.0.1, port: ${port}, from: "Places <places@example.org>"}\n`)
afterAll(async () => {
  await identity.close()
  folder.remove()
  await new Promise<void>(resolve => server.close(() => resolve()))
})

const run = (...args: string[]) => periplus([...args, '--data', folder.path, '--config', file])

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

test('a link is printed although the mail cannot be sent', async () => {
  writeFileSync(file, 'mail: {host: 127.0.0.1, port: 1, from: places@example.org}\n')
  const result = await run('users', 'invite', 'bea@example.org', '--role', 'support', '--json')
  expect(result.json()).toMatchObject({ mail: 'failed', link: expect.stringContaining('/portal/link/') })
})
