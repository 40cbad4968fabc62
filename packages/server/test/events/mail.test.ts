/** Mail about events, through a real SMTP server. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { noFactors, type User } from '../../src/domain/user.ts'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { record } from '../record.ts'
import { startWorld } from '../world.ts'

test('admins of a partner get mail about its keys; others, members and disabled users get none', async () => {
  const mails: { to: string; mail: Email }[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: async (stream, session, done) => {
      const mail = await PostalMime.parse(new Uint8Array(Buffer.concat(await Array.fromAsync(stream))))
      mails.push({ to: session.envelope.rcptTo[0]!.address, mail })
      done()
    },
  })
  const listening = smtp.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const flags = { 'mail.host': '127.0.0.1', 'mail.port': port, 'mail.from': 'Places <places@example.org>' }
  const world = await startWorld(flags, 'empty')
  const run = async (...args: string[]) => {
    const result = await periplus([...args, '--json', '--data', world.config.data])
    if (result.code !== 0) throw new Error(result.stderr)
    return result.json<{ id: string; key: string }>()
  }
  const partner = (await run('partners', 'create', 'Mailed')).id
  const other = (await run('partners', 'create', 'Other')).id
  const engine = openConfiguredEngine(world.config, { create: false })
  const addUser = (name: string, terms: Partial<User>) =>
    engine.people.users.create(
      {
        id: `user_${name}`,
        email: `${name}@example.org`,
        memberships: [],
        state: 'active',
        factors: noFactors,
        createdMs: 0,
        revision: 1,
        ...terms,
      },
      record('user.create'),
    )
  await addUser('ann', { memberships: [{ partnerId: partner, role: 'admin' }] })
  await addUser('mia', { memberships: [{ partnerId: partner, role: 'member' }] })
  await addUser('bob', { memberships: [{ partnerId: partner, role: 'admin' }], state: 'disabled' })
  await addUser('eve', { memberships: [{ partnerId: other, role: 'admin' }] })
  await addUser('owner', { staffRole: 'owner' })
  await engine.close()
  const created = await run('keys', 'create', '--partner', partner, '--package', 'discover')
  const { id } = await run('keys', 'rotate', created.id, '--overlap', '1h')
  await eventually(() => expect(mails.map(({ mail }) => mail.subject)).toContain('A key has a new secret'))
  expect(new Set(mails.map(({ to }) => to))).toEqual(new Set(['ann@example.org']))
  const { mail } = mails.find(({ mail: one }) => one.subject === 'A key has a new secret')!
  expect(mail.from?.address).toBe('places@example.org')
  expect(mail.text).toContain(`key_id: ${id}`)
  expect(mail.text).not.toContain('peri_')
  expect(mail.messageId).toMatch(/^<evt_.*\.user_ann@periplus>$/)
  await world.close()
  await new Promise<void>(resolve => smtp.close(() => resolve()))
})
